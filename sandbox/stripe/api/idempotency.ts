import { createHash } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { errorAnswer, StripeFault } from '../stripe-error';
import type { StripeWorld } from '../stripe-world';

const MAX_KEY_LENGTH = 255;

/**
 * One key, one effect. A repeated call gets the first response; it is refused while the first still runs, and so is a
 * different call with the same key. A call refused for the form of its parameters never began, so its key stays free; what
 * ends a call that began is kept, be it an error or a refusal: https://docs.stripe.com/api/idempotent_requests
 */
export function idempotency(world: StripeWorld): MiddlewareHandler {
  return async (c, next) => {
    const key = c.req.header('idempotency-key');
    if (c.req.method !== 'POST' || !key) return next();
    if (key.length > MAX_KEY_LENGTH)
      throw refusal(400, `Idempotency keys have at most ${MAX_KEY_LENGTH} characters.`);
    const fingerprint = await fingerprintOf(c);
    const known = world.state.idempotency[key];
    if (known && known.fingerprint !== fingerprint) {
      throw refusal(
        400,
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      );
    }
    if (known && !known.answer) {
      throw refusal(409, `There is currently another in-progress request using this Idempotent Key: ${key}`);
    }
    if (known?.answer) {
      const { status, body } = known.answer;
      c.res = new Response(body, {
        status,
        headers: { 'content-type': 'application/json', 'idempotent-replayed': 'true' },
      });
      return undefined;
    }
    const record = { fingerprint, answer: null as { status: number; body: string } | null };
    world.state.idempotency[key] = record;
    await next();
    if (c.error) c.res = errorAnswer(c.error);
    if (neverBegan(c)) delete world.state.idempotency[key];
    else record.answer = await answerOf(c.res);
    world.save();
    return undefined;
  };
}

// Only a call that began looks for the objects that it names.
const neverBegan = ({ res, error }: Context) =>
  res.status >= 400 &&
  res.status < 500 &&
  !(error instanceof StripeFault && error.fields.code === 'resource_missing');

/** Keeps an error or a refusal, which ended a call before its route, under the call's key. */
export async function keepFailure(world: StripeWorld, c: Context, failure: Response): Promise<void> {
  const key = c.req.header('idempotency-key');
  if (c.req.method !== 'POST' || !key) return;
  world.state.idempotency[key] ??= { fingerprint: await fingerprintOf(c), answer: await answerOf(failure) };
}

const fingerprintOf = async (c: Context) =>
  createHash('sha256')
    .update(`${c.req.path}\n${await c.req.text()}`)
    .digest('hex');

const answerOf = async (response: Response) => ({
  status: response.status,
  body: await response.clone().text(),
});

function refusal(status: number, message: string): StripeFault {
  const fields = status === 409 ? { code: 'idempotency_key_in_use' } : {};
  return new StripeFault(status, 'idempotency_error', message, fields);
}
