import { z } from 'zod';
import { env } from '@/lib/env';
import { requireNoTransaction } from '@/lib/open-transaction';
import { SECOND_MS, type TimeLeft } from '@/lib/time';
import { AnswerTooLarge, CallTooLate, callHttp, type HttpAnswer } from '../http-call';

const TIMEOUT_MS = 10 * SECOND_MS;
const TOO_MANY = 429;
// A hundred messages with the 2,000 characters of a message and the 6,000 of its embeds, at four bytes: 3.2 MB.
const ANSWER_MAX_BYTES = 8 * 1024 * 1024;
const errorSchema = z.object({ code: z.number().catch(0), message: z.string().catch('') });
const rateLimitSchema = z.object({ retry_after: z.number(), global: z.boolean().catch(false) });

/** Discord refused a call, or did not answer it (status 0). */
export class DiscordError extends Error {
  constructor(
    readonly status: number,
    /** Discord's own error code, such as 50001; 0 when there is none. */
    readonly code: number,
    message: string,
    readonly retryAfterMs?: number,
    readonly isGlobalLimit = false,
    /** Whether the limit is one that others used up; Discord does not hold it against the bot. */
    readonly isSharedLimit = false,
  ) {
    super(message);
    this.name = 'DiscordError';
  }

  /** Whether trying again later may help: no answer, a server error, or a rate limit. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export interface DiscordReply {
  body: unknown;
  /** How long this bucket is used up, in milliseconds; 0 while calls remain. */
  exhaustedForMs: number;
}

interface DiscordCall {
  json?: unknown;
  form?: Record<string, string>;
  /** Absent means the bot's own token; null sends none. */
  authorization?: string | null;
  /** Whether the call is a card, which has its place among those that Discord allows the bot in a second. */
  isCard?: boolean;
  /** The account that caused it; absent when nobody did. */
  accountId?: string | undefined;
  /** Whom it is about, where the path does not say it. */
  subject?: string;
  /** How long the caller has a claim to what the call does. */
  claimLeft?: TimeLeft;
}

/** A call as the gate sees it. */
export interface GatedCall {
  method: string;
  path: string;
  /** A card, another call with the bot's token, or one without it. */
  kind: 'card' | 'bot' | 'other';
  accountId?: string | undefined;
  subject?: string | undefined;
}

type Gate = <T>(call: GatedCall, make: () => Promise<T>) => Promise<T>;

// Kept on globalThis because Next loads this module once per bundle (routes, instrumentation).
const holder = globalThis as { pagewireDiscordGate?: Gate };

/**
 * Has every later call of this process pass through a gate, which makes it when its turn comes, or refuses it with a
 * DiscordError.
 */
export function gateCalls(gate: Gate): void {
  holder.pagewireDiscordGate = gate;
}

/**
 * One call of Discord's REST API. Throws DiscordError for anything but a 2xx answer; a 429 carries the wait
 * that Discord asks for, to the millisecond. Throws CallTooLate, and makes no call, when the claim would not outlast it.
 */
export async function discordRequest(
  method: string,
  path: string,
  call: DiscordCall = {},
): Promise<DiscordReply> {
  requireNoTransaction();
  const gate = holder.pagewireDiscordGate;
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
  const answer = await send(path, { method, headers, body, claimLeft: call.claimLeft });
  const json = parseJson(answer.text);
  if (answer.status >= 200 && answer.status < 300) {
    return { body: json, exhaustedForMs: exhaustedForMs(answer.headers) };
  }
  throw toError(answer, json);
}

async function send(path: string, call: Omit<Parameters<typeof callHttp>[1], 'timeoutMs' | 'maxBytes'>) {
  try {
    const address = `${env().DISCORD_API_URL}${path}`;
    return await callHttp(address, { ...call, timeoutMs: TIMEOUT_MS, maxBytes: ANSWER_MAX_BYTES });
  } catch (error) {
    if (error instanceof CallTooLate) throw error;
    const status = error instanceof AnswerTooLarge ? 200 : 0;
    throw new DiscordError(status, 0, error instanceof Error ? error.message : 'no answer');
  }
}

function toError({ status, headers }: HttpAnswer, json: unknown): DiscordError {
  const { code, message } = errorSchema.catch({ code: 0, message: '' }).parse(json);
  if (status !== TOO_MANY) return new DiscordError(status, code, message || `answered ${status}`);
  const limit = rateLimitSchema.safeParse(json).data;
  // Without Discord's body it is the network edge that blocks our address; its header is all there is.
  const seconds = limit?.retry_after ?? Number(headers['retry-after'] ?? 60);
  const isGlobal = limit?.global ?? true;
  return new DiscordError(
    TOO_MANY,
    code,
    message || 'rate limited',
    Math.ceil(seconds * SECOND_MS),
    isGlobal,
    headers['x-ratelimit-scope'] === 'shared',
  );
}

function exhaustedForMs(headers: HttpAnswer['headers']): number {
  if (headers['x-ratelimit-remaining'] !== '0') return 0;
  return Math.ceil(Number(headers['x-ratelimit-reset-after'] ?? 0) * SECOND_MS);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
