import { callHttp, type HttpResponse } from '@/lib/integrations/http-call';
import { SECOND_MS } from '@/lib/time';

const TIMEOUT_MS = 15 * SECOND_MS;
const MAX_BYTES = 8 * 1024 * 1024;

/** The first status of a refusal; below it, the service did what was asked, or redirected. */
export const REFUSED = 400;
export const UNAUTHORIZED = 401;
export const FORBIDDEN = 403;
export const NOT_FOUND = 404;

const REASONS: Record<string, string> = {
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it dropped the connection',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes without the chain of its issuers',
};

/** Nobody answered; the message says who and why. */
export class NoAnswer extends Error {
  constructor(
    readonly host: string,
    error: unknown,
  ) {
    const { code = '', message = '' } = error as { code?: string; message?: string };
    super(`${host} could not be reached: ${REASONS[code] ?? (message || code)}`);
  }
}

export interface Answer {
  status: number;
  headers: HttpResponse['headers'];
  text: string;
  /** Undefined when the answer is not JSON. */
  json: unknown;
}

export interface Call {
  headers?: Record<string, string>;
  form?: Record<string, string>;
  body?: unknown;
}

/** How far the clock of a host is ahead of ours. */
export interface ClockReading {
  host: string;
  aheadMs: number;
}

export type Ask = (method: string, address: string, call?: Call) => Promise<Answer>;

/** A function that calls services and notes the time that each reports. It throws NoAnswer. */
export function asking(clocks: ClockReading[]): Ask {
  return async (method, address, { headers = {}, form, body } = {}) => {
    const { host } = new URL(address);
    const content = form
      ? 'application/x-www-form-urlencoded'
      : body === undefined
        ? null
        : 'application/json';
    const answer = await callHttp(address, {
      method,
      headers: { accept: 'application/json', ...(content && { 'content-type': content }), ...headers },
      ...(form && { body: new URLSearchParams(form).toString() }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    }).catch((error: unknown) => {
      throw new NoAnswer(host, error);
    });
    const at = Date.parse(answer.headers.date ?? '');
    if (at) clocks.push({ host, aheadMs: at - Date.now() });
    return { ...answer, json: parseJson(answer.text) };
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
