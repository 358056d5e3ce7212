import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import type { Fault } from '../../faults';
import { errorOfStatus, invalid, NotionError, rateLimited } from '../notion-error';
import type { NotionWorld } from '../notion-world';
import { withPlainIds } from '../plain-ids';
import { withReplaced } from '../replaced-objects';
import type { ApiEnv } from './api-env';

const NEWEST_VERSION = '2026-03-11';
const OLDER_VERSIONS = ['2021-05-13', '2021-08-16', '2022-02-22', '2022-06-28', '2025-09-03'];

/** Refuses calls without the one API version that the sandbox supports. */
export function requireVersion(given: string | undefined, spoken = NEWEST_VERSION): void {
  if (!given)
    throw new NotionError(
      400,
      'missing_version',
      'Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.',
    );
  if (OLDER_VERSIONS.includes(given))
    throw invalid(`Notion-Version ${given} is a real version, but this sandbox speaks only ${spoken}.`);
  if (given !== spoken)
    throw invalid(
      `Notion-Version header failed validation: Notion-Version header should be "${spoken}", instead was \`"${given}"\`.`,
    );
}

/**
 * Counts every call, gives it a request id, and applies active faults.
 * fail: the call does nothing and responds with `status`; slow: waits, then continues as usual; hangup: does the work,
 * then drops the connection, or with status 503 responds that it has committed, as Notion does (committed_resource_id);
 * garble: does the work, then responds with a page of HTML; reshape: the same with JSON of an unknown shape.
 */
export function apiGuard(world: NotionWorld): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const call = `${c.req.method} ${c.req.path}`;
    const requestId = randomUUID();
    c.set('requestId', requestId);
    world.state.calls[call] = (world.state.calls[call] ?? 0) + 1;
    const slow = world.context.faults.take('notion', ['slow'], call);
    if (slow) await world.context.faults.wait(slow);
    const fault = world.context.faults.take('notion', ['fail', 'hangup', 'garble', 'reshape', 'block'], call);
    if (fault?.kind === 'block') return blocked(c);
    if (fault?.kind === 'fail') c.res = failure(fault).toResponse(requestId);
    else await next();
    const { replaced } = world.settings;
    if (replaced) c.res = new Response(withReplaced(await c.res.text(), replaced), c.res);
    if (world.settings.plainIds) c.res = new Response(withPlainIds(await c.res.text()), c.res);
    if (fault?.kind === 'hangup') {
      if (fault.status === 503) c.res = await committed(c.res, requestId);
      else return hangUp(c);
    }
    if (fault?.kind === 'reshape') c.res = c.json({ object: 'surprise' });
    if (fault?.kind === 'garble') c.res = await c.html('<html><body>Back soon</body></html>');
    else c.res.headers.set('x-notion-request-id', requestId);
    return undefined;
  };
}

/** The page of the network edge in front of Notion: it has a `cf-ray` and no request id. */
function blocked(c: Context<ApiEnv>): Response {
  return c.html('<html><body>Sorry, you have been blocked</body></html>', 403, { 'cf-ray': '8c1f00d' });
}

function failure({ status, retryAfterSeconds, ...limit }: Fault): NotionError {
  return status === 429 && retryAfterSeconds ? rateLimited(retryAfterSeconds, limit) : errorOfStatus(status);
}

/** The response to an error thrown by any route. */
export function errorAnswer(error: Error, c: Context<ApiEnv>): Response {
  const known = error instanceof NotionError ? error : errorOfStatus(500);
  return known.toResponse(c.get('requestId'));
}

async function committed(done: Response, requestId: string): Promise<Response> {
  if (!done.ok) return done;
  const { id } = (await done.json()) as { id?: string };
  const additionalData = {
    retry_guidance: 'The write may have been committed. Read the resource before you repeat the request.',
    ...(id && { committed_resource_id: id }),
  };
  // Of the codes of a 503, the one that Notion's own client does not know.
  const code = 'database_connection_unavailable';
  const message = 'The database connection is unavailable. Please try again later.';
  return new NotionError(503, code, message, { additionalData }).toResponse(requestId);
}

function hangUp(c: Context<ApiEnv>): Response {
  const bindings = c.env as Partial<HttpBindings> | undefined;
  if (!bindings?.outgoing) throw new Error('hangup needs a real connection');
  bindings.outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}
