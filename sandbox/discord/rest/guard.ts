import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import type { Fault } from '../../faults';
import { DiscordError, discordError, formError, TooManyOldEdits } from '../discord-error';
import type { Bucket, Usage } from '../rate-limiter';
import type { World } from '../world';
import { routeOf } from './route-limits';

export type Env = { Bindings: HttpBindings };

const USER_AGENT = /^DiscordBot \(\S+, [^)\s]+\)/;
const TOO_MANY = 429;
const COUNTS_AS_INVALID = new Set([401, 403, TOO_MANY]);

/** Runs before every REST call: faults, checks of headers, rate limits; afterwards counts the call. */
export function guard(world: World): MiddlewareHandler<Env> {
  return async (c, next) => {
    const route = routeOf(c.req.method, c.req.path);
    const call = `${c.req.method} ${c.req.path}`;
    const { faults } = world.context;
    world.state.calls[route.name] = (world.state.calls[route.name] ?? 0) + 1;

    const slow = faults.take('discord', ['slow'], call);
    if (slow) await faults.wait(slow);
    const block = faults.take('discord', ['block'], call);
    if (block) {
      c.res = blocked(block);
      return;
    }
    const fail = faults.take('discord', ['fail'], call);
    const lost = faults.take('discord', ['hangup', 'garble'], call);

    const isLimited = world.state.limits === 'on' && !fail;
    const global = isLimited && !route.outsideGlobal ? world.limiter.takeGlobal() : undefined;
    const usage =
      isLimited && global?.allowed !== false ? world.limiter.take(route.bucket, route.major) : undefined;
    if (fail) c.res = failed(fail, c.req.path);
    else if (global && !global.allowed) c.res = tooMany(global, 'global');
    else if (usage && !usage.allowed) c.res = tooMany(usage, 'user');
    else {
      const refusal = badManners(c);
      if (refusal) c.res = c.json(refusal.body(), refusal.status);
      else await next();
    }
    const isHiddenLimit = usage?.allowed && c.res.status === TOO_MANY;
    if (usage && !isHiddenLimit) setHeaders(c, usage, route.bucket);
    if (COUNTS_AS_INVALID.has(c.res.status)) world.state.invalidAnswers += 1;
    if (c.res.status === TOO_MANY) world.state.rateLimited += 1;
    world.persist();
    if (lost) c.res = lost.kind === 'hangup' ? hangUp(c) : page(200, 'Back soon');
  };
}

/** Turns thrown errors into Discord's bodies. A bug in the stand-in itself is also printed to stderr. */
export function answerError(error: Error, c: Context): Response {
  if (error instanceof DiscordError) {
    if (error instanceof TooManyOldEdits) c.header('retry-after', String(Math.ceil(error.retryAfterSeconds)));
    return c.json(error.body(), error.status);
  }
  process.stderr.write(`${error.stack ?? error.message}\n`);
  return c.json({ message: '500: Internal Server Error', code: 0 }, 500);
}

function badManners(c: Context): DiscordError | undefined {
  if (!USER_AGENT.test(c.req.header('user-agent') ?? '')) return discordError('networkError');
  if (!['POST', 'PUT', 'PATCH'].includes(c.req.method) || c.req.path.includes('/oauth2/')) return undefined;
  const type = c.req.header('content-type')?.split(';')[0]?.trim() ?? '';
  const isEmpty = !type && (c.req.header('content-length') ?? '0') === '0';
  if (type === 'application/json' || isEmpty) return undefined;
  const expected = 'Expected "Content-Type" header to be one of {\'application/json\'}.';
  return formError([], 'CONTENT_TYPE_INVALID', expected);
}

function tooMany(usage: Usage, scope: 'user' | 'global'): Response {
  const global = scope === 'global';
  const body = { message: 'You are being rate limited.', retry_after: usage.resetAfterSeconds, global };
  return Response.json(body, {
    status: 429,
    headers: {
      'retry-after': String(Math.ceil(usage.resetAfterSeconds)),
      'x-ratelimit-scope': scope,
      ...(global && { 'x-ratelimit-global': 'true' }),
    },
  });
}

function setHeaders(c: Context, usage: Usage, bucket: Bucket): void {
  c.header('x-ratelimit-limit', String(usage.limit));
  c.header('x-ratelimit-remaining', String(usage.remaining));
  c.header('x-ratelimit-reset', usage.resetAt.toFixed(3));
  c.header('x-ratelimit-reset-after', usage.resetAfterSeconds.toFixed(3));
  c.header('x-ratelimit-bucket', bucket.name);
}

/** The page of the network edge in front of Discord, as for a banned address. */
const blocked = ({ status }: Fault) =>
  status === TOO_MANY ? page(TOO_MANY, 'Error 1015') : page(403, 'Sorry, you have been blocked');

const page = (status: number, text: string) =>
  new Response(`<html><body>${text}</body></html>`, {
    status,
    headers: { 'content-type': 'text/html; charset=UTF-8', 'cf-ray': '8c1f00d' },
  });

function failed({ status, code, retryAfterSeconds = 1, isGlobal }: Fault, path: string): Response {
  if (status === TOO_MANY) {
    const usage = {
      allowed: false,
      limit: 1,
      remaining: 0,
      resetAfterSeconds: retryAfterSeconds,
      resetAt: 0,
    };
    return tooMany(usage, isGlobal ? 'global' : 'user');
  }
  const known = {
    401: discordError('unauthorized'),
    403: discordError('missingAccess'),
    404: discordError(path.includes('/channels/') ? 'unknownChannel' : 'unknownGuild'),
  }[status];
  if (code !== undefined) return Response.json({ message: `${status}: Refused`, code }, { status });
  const title = status === 500 ? 'Internal Server Error' : 'Service Unavailable';
  return Response.json(known?.body() ?? { message: `${status}: ${title}`, code: 0 }, { status });
}

/** Drops the connection after the work is done; in-process calls have no socket to drop. */
function hangUp(c: Context<Env>): Response {
  if (!c.env?.incoming) return new Response(null, { status: 502 });
  c.env.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}
