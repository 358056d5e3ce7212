import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import { passTime } from '../billing/pass-time';
import { failure, invalid, StripeFault } from '../stripe-error';
import { API_VERSION, type StripeWorld } from '../stripe-world';
import { keepFailure } from './idempotency';

// Other failures come from the edge in front of Stripe.
const INSIDE = [400, 500];

/**
 * Checks every API call: faults, the secret key, the version and the format of the body.
 * fail: does nothing and responds with `status`, of which 400 and 500 are kept under the call's idempotency key; hangup:
 * does the work, then drops the connection.
 */
export function apiGuard(world: StripeWorld): MiddlewareHandler {
  return async (c, next) => {
    const call = `${c.req.method} ${c.req.path}`;
    const { faults } = world.context;
    const fault = faults.take('stripe', ['fail', 'hangup'], call);
    if (fault?.kind === 'fail') {
      c.res = failure(fault.status).toResponse();
      if (INSIDE.includes(fault.status)) await keepFailure(world, c, c.res);
    } else {
      requireKey(world, c.req.header('authorization'));
      requireVersion(c.req.header('stripe-version'));
      if (isLive(world, c)) return answerLive(c);
      requireForm(c);
      passTime(world);
      await next();
    }
    if (fault?.kind === 'hangup') return hangUp(c);
    c.res.headers.set('request-id', world.newId('req'));
    return undefined;
  };
}

/** The fault `slow`: the call takes a while and holds its idempotency key meanwhile. */
export function slowness(world: StripeWorld): MiddlewareHandler {
  return async (c, next) => {
    const { faults } = world.context;
    const slow = faults.take('stripe', ['slow'], `${c.req.method} ${c.req.path}`);
    if (slow) await faults.wait(slow);
    await next();
  };
}

function requireKey(world: StripeWorld, authorization: string | undefined): void {
  const key = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
  if (!key) {
    throw new StripeFault(401, 'invalid_request_error', 'You did not provide an API key.');
  }
  if (key !== world.context.credentials.stripe.secretKey && key !== liveKeyOf(world)) {
    throw new StripeFault(401, 'invalid_request_error', `Invalid API Key provided: ${key.slice(0, 8)}***`);
  }
}

/** The same account's live-mode key. Nothing from test mode exists there. */
const liveKeyOf = (world: StripeWorld) =>
  world.context.credentials.stripe.secretKey.replace('sk_test_', 'sk_live_');

const isLive = (world: StripeWorld, c: Context) =>
  c.req.header('authorization') === `Bearer ${liveKeyOf(world)}`;

/** Live mode is empty: its lists have no entries, and objects from test mode are not found. */
function answerLive(c: Context): Response {
  const [, kind = 'object', id] = /^\/v1\/([a-z_/]+?)s(?:\/([^/]+))?$/.exec(c.req.path) ?? [];
  if (c.req.method === 'GET' && !id) {
    return c.json({ object: 'list', data: [], has_more: false, url: c.req.path });
  }
  const message = `No such ${kind}: '${id}'; a similar object exists in test mode, but a live mode key was used to make this request.`;
  throw new StripeFault(404, 'invalid_request_error', message, { code: 'resource_missing', param: kind });
}

function requireVersion(version: string | undefined): void {
  if (!version) throw invalid(`This sandbox wants the header Stripe-Version: ${API_VERSION}.`);
  if (version !== API_VERSION) throw invalid(`Invalid Stripe API version: ${version}`);
}

function requireForm(c: Context): void {
  if (c.req.method !== 'POST') return;
  const [type = ''] = (c.req.header('content-type') ?? '').split(';');
  if (type.trim() !== 'application/x-www-form-urlencoded') {
    throw invalid('Requests must be form-encoded: application/x-www-form-urlencoded.');
  }
}

function hangUp(c: Context): Response {
  const bindings = c.env as Partial<HttpBindings> | undefined;
  if (!bindings?.outgoing) throw new Error('hangup needs a real connection');
  bindings.outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}
