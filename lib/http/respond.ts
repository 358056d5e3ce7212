import { randomUUID } from 'node:crypto';
import { AppError, type ErrorCode, toBusyError } from '@/lib/errors';
import { log } from '@/lib/log';
import { withLogIds } from '@/lib/log-ids';
import { metrics } from '@/lib/metrics';
import { afterResponse } from './after-response';
import { reportError } from './report-error';

// The rest of the body stays unread, so the connection cannot be used again.
const LEFT_UNREAD: ErrorCode[] = ['too_large', 'too_slow', 'overloaded'];

type Handle = () => Promise<Response>;

/**
 * Runs a handler and maps what it returns or throws to a response. Log lines written meanwhile have the request's id.
 */
export function respond(request: Request, handle: Handle): Promise<Response> {
  const requestId = randomUUID();
  return answer(request, requestId, () => withLogIds({ requestId }, handle));
}

/** Like `respond`, for a door at which many calls arrive at once: log lines there have the ids of events instead. */
export function respondAtDoor(request: Request, handle: Handle): Promise<Response> {
  return answer(request, randomUUID(), handle);
}

async function answer(request: Request, requestId: string, handle: Handle): Promise<Response> {
  afterResponse();
  const startedAt = performance.now();
  const response = await settle(request, requestId, handle);
  const { status } = response;
  metrics.responses.inc({ status: `${Math.floor(status / 100)}xx` });
  if (log.isLevelEnabled('debug')) {
    const ms = Math.round(performance.now() - startedAt);
    log.debug({ requestId, ...whatOf(request), status, ms }, 'answered');
  }
  return response;
}

const whatOf = ({ method, url }: Request) => ({ method, path: new URL(url).pathname });

async function settle(request: Request, requestId: string, handle: Handle): Promise<Response> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof AppError) return errorResponse(error);
    const busy = toBusyError(error);
    if (busy) {
      log.warn({ err: error, requestId, ...whatOf(request) }, 'no database, connection or free row in time');
      return errorResponse(busy);
    }
    log.error({ err: error, requestId, ...whatOf(request) }, 'request failed');
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
