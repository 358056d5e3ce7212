import type { IncomingHttpHeaders } from 'node:http';
import {
  APIResponseError,
  Client,
  isHTTPResponseError,
  LogLevel,
  RequestTimeoutError,
  type UnknownHTTPResponseError,
} from '@notionhq/client';
import { z } from 'zod';
import { env } from '@/lib/env';
import { requireNoTransaction } from '@/lib/open-transaction';
import { shareErrorClass } from '@/lib/process-state';
import { HOUR_MS, SECOND_MS } from '@/lib/time';
import { callHttp, ResponseTooLarge, waitMs } from '../http-call';

/** The version of Notion's API that every call names. */
export const NOTION_VERSION = '2026-03-11';

const TIMEOUT_MS = 20 * SECOND_MS;
const DEFAULT_WAIT_MS = 10 * SECOND_MS;
// A page's text may have 100 parts of 2,000 characters, each sent twice, at up to three bytes a character: 1.2 MB.
// https://developers.notion.com/reference/request-limits
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
// Notion asks not to repeat the calls of a connection that it has blocked, and does not say when the block ends.
// https://developers.notion.com/reference/request-limits
const BLOCKED = 'public_api_request_blocked';
const BLOCKED_WAIT_MS = 6 * HOUR_MS;
// These read, or exchange a code or a token, which a call that was received has spent in any case.
const REPEATABLE = /\/v1\/(search|data_sources\/[^/]+\/query|oauth\/token)(\?|$)/;
const FORBIDDEN = 403;
const SERVER_ERROR = 500;
const INVALID_GRANT = 'invalid_grant';
const TOO_LARGE = 'answer_too_large';
const MAX_CODE = 100;

// Token calls may name the code `error`, as OAuth does.
const refusalSchema = z.object({
  code: z.string().max(MAX_CODE).optional().catch(undefined),
  error: z.string().max(MAX_CODE).optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  additional_data: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

const isLimitStatus = (status: number) => status === 429 || status === 529;

interface Advice {
  retryAfterMs?: number | undefined;
  isBlocked?: boolean;
  committedId?: string | undefined;
}

/** Notion refused a call, or did not answer it (status 0). */
export class NotionError extends Error {
  readonly retryAfterMs: number | undefined;
  /** Notion has blocked the connection for now and asks not to call again. */
  readonly isBlocked: boolean;
  /** The id of what a refused write created nevertheless, if Notion names it. */
  readonly committedId: string | undefined;

  constructor(
    readonly status: number,
    /** Notion's own error code, such as `object_not_found`. */
    readonly code: string,
    message: string,
    { retryAfterMs, isBlocked = false, committedId }: Advice = {},
  ) {
    super(message);
    this.name = 'NotionError';
    this.retryAfterMs = retryAfterMs;
    this.isBlocked = isBlocked;
    this.committedId = committedId;
  }

  /** Notion does not accept the call as it is written. */
  get isInvalid(): boolean {
    return this.status === 400;
  }

  /** The token is no longer valid: refresh it, or connect again. */
  get isUnauthorized(): boolean {
    return this.status === 401;
  }

  /** The code or the refresh token that was to be exchanged is unknown, spent or revoked. */
  get isInvalidGrant(): boolean {
    return this.code === INVALID_GRANT;
  }

  /** The page or database is gone, or is not shared with the connection. */
  get isGone(): boolean {
    return this.status === 404;
  }

  /** The connection lacks a capability for this call. */
  get isForbidden(): boolean {
    return this.status === FORBIDDEN;
  }

  /** Notion's rate limit for this connection is exhausted. */
  get isLimit(): boolean {
    return isLimitStatus(this.status);
  }

  /** Notion could not answer in time, as it may for a long or heavy list. */
  get isOverdue(): boolean {
    return this.status === 503 || this.status === 504;
  }

  /** Whether Notion may have done what was asked, or may still do it. What it refuses at a limit is not carried out. */
  get mayBeDone(): boolean {
    return this.status === 0 || this.isUnreadable || (this.status >= 500 && !this.isLimit);
  }

  /** The response is larger than we read. */
  get isTooLarge(): boolean {
    return this.code === TOO_LARGE;
  }

  /** Notion did what was asked, but its response is larger than we read, or of an unknown shape. */
  get isUnreadable(): boolean {
    return this.status === 200;
  }

  /** Whether trying again later may help. */
  get isTransient(): boolean {
    return [0, 409, 429, 529].includes(this.status) || this.status >= 500;
  }
}
shareErrorClass(NotionError, 'NotionError');

/** A client for one access token and one call. It never retries: that is the job queue's work. */
export function notionClient(accessToken?: string, timeoutMs = TIMEOUT_MS): Client {
  requireNoTransaction();
  return new Client({
    auth: accessToken,
    baseUrl: env().NOTION_API_URL,
    notionVersion: NOTION_VERSION,
    timeoutMs,
    retry: false,
    logLevel: LogLevel.ERROR,
    logger: () => {},
    fetch: fetchKept(timeoutMs),
  });
}

type ClientFetch = NonNullable<NonNullable<ConstructorParameters<typeof Client>[0]>['fetch']>;

/** The `fetch` that the client uses, over keep-alive connections. */
const fetchKept =
  (timeoutMs: number): ClientFetch =>
  async (address, { method = 'GET', headers = {}, body } = {}) => {
    if (typeof body === 'object') throw new TypeError('Only text is sent to Notion');
    const bounds = { timeoutMs, maxBytes: MAX_RESPONSE_BYTES };
    const isRepeatable = method === 'GET' || REPEATABLE.test(String(address));
    const call = { service: 'notion', method, headers, body, isRepeatable, ...bounds } as const;
    const {
      status,
      headers: received,
      text,
    } = await callHttp(address, call).catch((error) => {
      if (error instanceof ResponseTooLarge) throw new NotionError(200, TOO_LARGE, error.message);
      throw noAnswer();
    });
    return { status, ok: status >= 200 && status < 300, headers: received, text: async () => text };
  };

const noAnswer = () => new NotionError(0, 'no_answer', 'Notion did not answer');

/** Runs a call of the client. Throws NotionError whenever Notion refuses or does not answer. */
export async function notionCall<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toNotionError(error);
  }
}

function toNotionError(error: unknown): unknown {
  // What is not JSON is a page of something in between, which does not tell whether Notion did what it was asked.
  const isUnanswered = RequestTimeoutError.isRequestTimeoutError(error) || error instanceof SyntaxError;
  if (!isHTTPResponseError(error)) return isUnanswered ? noAnswer() : error;
  const { code, error: name, message, additional_data: data = {} } = refusalIn(error.body);
  const isRefusal = code !== undefined || name !== undefined || isLimitStatus(error.status);
  // Something in between, such as Notion's network edge, blocks a call or leads elsewhere: Notion itself has not refused
  // anything.
  if (error.status < SERVER_ERROR && !isRefusal) return noAnswer();
  const committed = data['committed_resource_id'];
  const isBlocked = isLimitStatus(error.status) && data['rate_limit_reason'] === BLOCKED;
  return new NotionError(error.status, code ?? name ?? error.code, message ?? error.message, {
    retryAfterMs: isBlocked ? BLOCKED_WAIT_MS : retryAfterMs(error, data),
    isBlocked,
    committedId: typeof committed === 'string' ? committed : undefined,
  });
}

// The client keeps what it does not recognise as text, and it lacks some of Notion's codes.
function refusalIn(body: unknown): z.infer<typeof refusalSchema> {
  try {
    return refusalSchema.parse(JSON.parse(String(body)));
  } catch {
    return {};
  }
}

function retryAfterMs(
  error: APIResponseError | UnknownHTTPResponseError,
  data: Record<string, unknown>,
): number | undefined {
  const { 'retry-after': header } = error.headers as IncomingHttpHeaders;
  // The header may hold a date: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
  const waits = [
    Number(header),
    (Date.parse(header ?? '') - Date.now()) / SECOND_MS,
    Number(data['retry_after']),
  ];
  const seconds = waits.find((wait) => wait > 0);
  // Without one of Notion's usual codes, nothing says how long it takes.
  const otherwise =
    isLimitStatus(error.status) || !APIResponseError.isAPIResponseError(error) ? DEFAULT_WAIT_MS : undefined;
  return seconds === undefined ? otherwise : waitMs(seconds);
}
