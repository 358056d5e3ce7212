import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import { z } from 'zod';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { requireNoTransaction } from '@/lib/open-transaction';
import { processState, shareErrorClass } from '@/lib/process-state';
import { MINUTE_MS, SECOND_MS, type TimeLeft } from '@/lib/time';
import { CallTooLate, callHttp, type HttpResponse, ResponseTooLarge, waitMs } from '../http-call';

const TIMEOUT_MS = 10 * SECOND_MS;
const TOO_MANY = 429;
const REFUSED = [403, 404];
const SERVER_ERROR = 500;
const INVALID_GRANT = 'invalid_grant';
const EDGE_PAUSE_MS = MINUTE_MS;
// A hundred messages of 2,000 characters with embeds of 6,000, at four bytes each: 3.2 MB.
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
const errorSchema = z.object({
  code: z.number().catch(0),
  message: z.string().catch(''),
  // Token calls name only this, as OAuth does.
  error: z.string().optional().catch(undefined),
  errors: z.record(z.string(), z.unknown()).catch({}),
});
const codedSchema = z.object({ code: z.number() });
const rateLimitSchema = z.object({
  retry_after: z.number().optional().catch(undefined),
  global: z.boolean().optional().catch(undefined),
});

interface Details {
  retryAfterMs?: number | undefined;
  isGlobal?: boolean;
  isShared?: boolean;
  fields?: string[];
  oauthCode?: string | undefined;
}

/** Discord refused a call, or did not answer it (status 0), perhaps because something in between did. */
export class DiscordError extends Error {
  readonly retryAfterMs: number | undefined;
  readonly isGlobalLimit: boolean;
  /** Whether others used up the limit; Discord does not count such a 429 against the bot. */
  readonly isSharedLimit: boolean;
  /** The fields of the body that Discord does not accept. */
  readonly fields: string[];
  /** The code that was to be exchanged is unknown or spent. */
  readonly isInvalidGrant: boolean;

  constructor(
    readonly status: number,
    /** Discord's own error code, such as 50001; 0 when there is none. */
    readonly code: number,
    message: string,
    { retryAfterMs, isGlobal = false, isShared = false, fields = [], oauthCode }: Details = {},
  ) {
    super(message);
    this.name = 'DiscordError';
    this.retryAfterMs = retryAfterMs;
    this.isGlobalLimit = isGlobal;
    this.isSharedLimit = isShared;
    this.fields = fields;
    this.isInvalidGrant = oauthCode === INVALID_GRANT;
  }

  /** Whether trying again later may help: no answer, a server error, or a rate limit. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === TOO_MANY || this.status >= 500;
  }
}
shareErrorClass(DiscordError, 'DiscordError');

/** For `catch` after a read: null if Discord refused it. Throws any other error again. */
export function refusedAsNull(error: unknown): null {
  if (error instanceof DiscordError && !error.isTransient) return null;
  throw error;
}

export interface DiscordReply {
  body: unknown;
  /** How long this bucket stays exhausted, in milliseconds; 0 while calls remain. */
  exhaustedForMs: number;
}

interface DiscordCall {
  json?: unknown;
  form?: Record<string, string>;
  /** Absent means the bot's own token; null sends none. */
  authorization?: string | null;
  /** Whether the call sends a card, which takes priority within the bot's global rate limit. */
  isCard?: boolean;
  /** The account for which the call is made; absent when there is none. */
  accountId?: string | undefined;
  /** What the call is about, if the path does not say so: a person, a server, or the tags of a post. */
  subject?: string;
  /** How long the caller may still make this call. */
  claimLeft?: TimeLeft;
}

/**
 * Discord's reply in the shape of a schema. One in another shape, such as a page of the network edge, counts as no answer:
 * whether Discord did what it was asked is unknown. Throws DiscordError.
 */
export function readReply<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  log.warn({ err: read.error }, 'reply of Discord not understood');
  throw new DiscordError(0, 0, 'the reply is not what Discord documents');
}

/**
 * The answers to calls that run at the same time. If one fails, none of the others is left waiting in the gate. Throws
 * what the first of them throws.
 */
export async function allAnswers<Calls extends readonly Promise<unknown>[] | []>(calls: Calls) {
  await Promise.allSettled(calls);
  return Promise.all(calls);
}

/** A call as the gate sees it. */
export interface GatedCall {
  method: string;
  path: string;
  /** A card, another call with the bot's token, or a call without it. */
  kind: 'card' | 'bot' | 'other';
  accountId?: string | undefined;
  subject?: string | undefined;
}

type Gate = <T>(call: GatedCall, make: () => Promise<T>) => Promise<T>;

const discord = processState('discord', (): { gate?: Gate } => ({}));

/**
 * Sends every later call of this process through a gate, which makes the call when its turn comes or rejects it with a
 * DiscordError.
 */
export function gateCalls(gate: Gate): void {
  discord.gate = gate;
}

/**
 * Calls Discord's REST API. Throws DiscordError for any response but a 2xx that is JSON or empty; for a 429 it carries
 * the wait that Discord asks for, in milliseconds. Throws CallTooLate, without calling, when the claim could end before
 * the call does.
 */
export async function discordRequest(
  method: string,
  path: string,
  call: DiscordCall = {},
): Promise<DiscordReply> {
  requireNoTransaction();
  const { gate } = discord;
  if (!gate) return requestNow(method, path, call);
  const { accountId, subject } = call;
  const kind = call.isCard ? 'card' : call.authorization === undefined ? 'bot' : 'other';
  return gate({ method, path, kind, accountId, subject }, () => requestNow(method, path, call));
}

async function requestNow(method: string, path: string, call: DiscordCall): Promise<DiscordReply> {
  const headers: Record<string, string> = { 'user-agent': `DiscordBot (${env().APP_URL}, 1.0)` };
  if (call.authorization !== null) {
    headers['authorization'] = call.authorization ?? `Bot ${env().DISCORD_BOT_TOKEN}`;
  }
  let body: string | undefined;
  if (call.json !== undefined) {
    headers['content-type'] = 'application/json';
    body = JSON.stringify(call.json);
  } else if (call.form) {
    headers['content-type'] = 'application/x-www-form-urlencoded';
    body = new URLSearchParams(call.form).toString();
  }
  // A form exchanges a code, which a call that was received has spent in any case.
  const repeat = call.form ? { isRepeatable: true } : {};
  const response = await send(path, { method, headers, body, claimLeft: call.claimLeft, ...repeat });
  const json = parseJson(response.text);
  if (response.status < 200 || response.status >= 300) throw toError(response, json);
  // A page of something in between, which does not tell whether Discord did what it was asked.
  if (json === undefined && response.text) throw new DiscordError(0, 0, 'the reply is not JSON');
  return { body: json, exhaustedForMs: exhaustedForMs(response.headers) };
}

async function send(
  path: string,
  call: Omit<Parameters<typeof callHttp>[1], 'service' | 'timeoutMs' | 'maxBytes'>,
) {
  try {
    const address = `${env().DISCORD_API_URL}${path}`;
    const bounds = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES };
    return await callHttp(address, { service: 'discord', ...call, ...bounds });
  } catch (error) {
    if (error instanceof CallTooLate) throw error;
    const status = error instanceof ResponseTooLarge ? 200 : 0;
    throw new DiscordError(status, 0, error instanceof Error ? error.message : 'no answer');
  }
}

function toError({ status, headers }: HttpResponse, json: unknown): DiscordError {
  const { code, message, errors, error } = errorSchema
    .catch({ code: 0, message: '', errors: {} })
    .parse(json);
  if (isFromEdge(status, json)) {
    const advice = { retryAfterMs: EDGE_PAUSE_MS, isGlobal: true };
    return new DiscordError(0, 0, `blocked by the network edge (${status})`, advice);
  }
  // Something in between leads elsewhere, or refuses in its own words.
  const isFromOther = !hasOwnCode(json) && !message && error === undefined;
  if (status < SERVER_ERROR && status !== TOO_MANY && isFromOther)
    return new DiscordError(0, 0, `something else answered ${status}`);
  if (status !== TOO_MANY) {
    const said = message || error || `answered ${status}`;
    return new DiscordError(status, code, said, { fields: Object.keys(errors), oauthCode: error });
  }
  const { retry_after, global } = rateLimitSchema.safeParse(json).data ?? {};
  // Without Discord's body, the 429 comes from the network edge, which blocks our address and sends only this header. It
  // may hold a date: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
  const isFromDiscord = retry_after !== undefined || global !== undefined || hasOwnCode(json);
  const seconds = retry_after ?? Number(headers['retry-after']);
  const otherwise = isFromDiscord ? undefined : EDGE_PAUSE_MS;
  return new DiscordError(TOO_MANY, code, message || 'rate limited', {
    retryAfterMs: Number.isFinite(seconds) ? waitMs(seconds) : otherwise,
    isGlobal: global ?? (!isFromDiscord || headers['x-ratelimit-global'] === 'true'),
    isShared: headers['x-ratelimit-scope'] === 'shared',
  });
}

/** Whether the network edge in front of Discord blocks our address; Discord itself then has not refused anything. */
function isFromEdge(status: number, json: unknown): boolean {
  if (!REFUSED.includes(status)) return false;
  return !hasOwnCode(json) || json.code === RESTJSONErrorCodes.CloudflareIsBlockingYourRequest;
}

const hasOwnCode = (json: unknown): json is { code: number } => codedSchema.safeParse(json).success;

function exhaustedForMs(headers: HttpResponse['headers']): number {
  if (headers['x-ratelimit-remaining'] !== '0') return 0;
  return waitMs(Number(headers['x-ratelimit-reset-after'] ?? 0));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
