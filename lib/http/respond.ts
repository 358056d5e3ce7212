import { randomUUID } from 'node:crypto';

import { AppError, type ErrorCode, toBusyError } from '@/lib/errors';

import { log } from '@/lib/log';
import { afterAnswer } from './after-answer';
import { reportError } from './report-error';

// The rest of the body stays unread, so the connection cannot be used again.
const LEFT_UNREAD: ErrorCode[] = ['too_large', 'too_slow', 'overloaded'];

/** Runs a handler and maps what it returns or throws to a response. Nothing else does that. */
export async function respond(request: Request, handle: () => Promise<Response>): Promise<Response> {
  afterAnswer();
  try {
    return await handle();
  } catch (error) {
    if (error instanceof AppError) return errorResponse(error);
    const busy = toBusyError(error);
    if (busy) {
      log.warn({ err: error, path: new URL(request.url).pathname }, 'no connection or no free row in time');
      return errorResponse(busy);
    }
    const requestId = randomUUID();
    log.error(
      { err: error, requestId, method: request.method, path: new URL(request.url).pathname },
      'request failed',
    );
    reportError(error, requestId);
    const headers = { 'x-request-id': requestId };
    return Response.json(
      { error: 'Something went wrong', code: 'internal_error', requestId },
      { status: 500, headers },
    );
  }
}

/** A handler's result as JSON, never cached because every response belongs to one account. */
export function jsonResponse(result: unknown, status: number): Response {
  return Response.json(result ?? null, { status, headers: { 'cache-control': 'no-store' } });
}

function errorResponse(error: AppError): Response {
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  if (error.code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
  if (error.retryAfterSeconds) headers['retry-after'] = String(error.retryAfterSeconds);
  if (LEFT_UNREAD.includes(error.code)) headers.connection = 'close';
  return Response.json(
    { ...error.details, error: error.message, code: error.code },
    { status: error.status, headers },
  );
}
