import { retryAfterMs, sleep } from './retry-after';
import { accessToken, currentStanding, isLoggingOut, refuseAccessToken, SessionUnknown } from './session';

const PATIENCE_MS = 15_000;
// Slow answers take less. A connection that is silently gone would be waited for without end.
const ANSWER_WITHIN_MS = 120_000;
const UNAUTHORIZED = 401;
const UNAVAILABLE = 503;
// By then the browser has copied the file's contents.
const KEPT_MS = 60_000;
const SIGNED_OUT = 'Your session has ended. Sign in again.';
const SOMEBODY_ELSE = 'Somebody else is signed in in this browser now.';
const NO_SIGN_IN = 'The sign-in service does not answer. Try again in a minute.';

/** A response outside 2xx. `serverText` is its `error` field. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly serverText: string | null = null,
    readonly code: string | null = null,
  ) {
    super(status === UNAUTHORIZED ? 'Unauthorized' : `API Error: ${status}`);
    this.name = 'ApiError';
  }
}

/** Whether an error says that nobody, or somebody else, is signed in. */
export const isUnauthorized = (error: unknown) => error instanceof ApiError && error.status === UNAUTHORIZED;

function stringField(body: unknown, field: 'error' | 'code'): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const value = (body as Record<string, unknown>)[field];
  return typeof value === 'string' ? value : null;
}

/**
 * An answer of our server. Throws ApiError outside 2xx, and another error for a page that a proxy or a captive portal
 * passes off as an answer: our server answers no call with HTML.
 */
async function fetchAnswer(path: string, init: RequestInit): Promise<Response> {
  const response = await fetchPatiently(path, init);
  const { ok, status, headers } = response;
  if (!ok) {
    const body = await response.json().catch(() => null);
    throw new ApiError(status, stringField(body, 'error'), stringField(body, 'code'));
  }
  if (headers.get('content-type')?.startsWith('text/html')) throw new Error('The answer is a page');
  return response;
}

async function send<T>(path: string, init: RequestInit, token: string | null): Promise<T> {
  const response = await fetchAnswer(path, {
    ...init,
    credentials: 'include',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
  });
  return response.json();
}

/**
 * Calls with a bearer token. If the server refuses it, a renewed one is tried once: where the browser's clock is slow, a
 * token ends before the browser knows.
 */
async function withToken<T>(call: (token: string) => Promise<T>): Promise<T> {
  const token = await requireToken();
  try {
    return await call(token);
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    refuseAccessToken(token);
    if (isLoggingOut()) throw error;
    return call(await requireToken());
  }
}

/** Retries for a while when the server is unavailable; only reads are repeated. */
async function fetchPatiently(path: string, init: RequestInit): Promise<Response> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const response = await fetch(path, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const waitMs = retryAfterMs(response);
    const isOver = response.status !== UNAVAILABLE || Date.now() + waitMs > deadline;
    if (isOver || (init.method ?? 'GET') !== 'GET') return response;
    await sleep(waitMs);
  }
}

/** Reads without a bearer token: only the configuration is public. */
export function getPublic<T>(path: string): Promise<T> {
  return send<T>(path, {}, null);
}

/**
 * Calls our API as the signed-in person and returns the parsed body. Throws ApiError: "Unauthorized"
 * on 401 or when signed out, otherwise "API Error: {status}", with 503 when we cannot tell who is signed in; and another
 * error when no answer of our server arrived.
 */
export function api<T>(
  path: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' = 'GET',
  body?: unknown,
): Promise<T> {
  const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return withToken((token) => send<T>(path, init, token));
}

/** Fetches a file as the signed-in person and hands it to the browser under this name. Throws like `api`. */
export async function download(path: string, fileName: string): Promise<void> {
  const file = await withToken(async (token) => {
    const response = await fetchAnswer(path, { headers: { Authorization: `Bearer ${token}` } });
    return response.blob();
  });
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

async function requireToken(): Promise<string> {
  const token = await accessToken().catch((error) => {
    if (error instanceof SessionUnknown) throw new ApiError(UNAVAILABLE, NO_SIGN_IN, 'unavailable');
    throw error;
  });
  if (!token) throw new ApiError(UNAUTHORIZED, currentStanding() === 'other' ? SOMEBODY_ELSE : SIGNED_OUT);
  return token;
}
