import Stripe from 'stripe';
import { z } from 'zod';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { requireNoTransaction } from '@/lib/open-transaction';
import { SECOND_MS } from '@/lib/time';
import { boundedFetch } from '../bounded-fetch';

const TIMEOUT_MS = 10 * SECOND_MS;
const MAX_RETRIES = 2;
// The longest list has a hundred subscriptions or sessions of about 10 kB each.
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

let client: Stripe | undefined;

/**
 * The one client of Stripe's API, in the version that the package is made for. Call this for each use instead of
 * keeping the client.
 */
export function stripe(): Stripe {
  requireNoTransaction();
  client ??= connect();
  return client;
}

function connect(): Stripe {
  const { STRIPE_API_URL, STRIPE_SECRET_KEY } = env();
  const bounded = boundedFetch({ service: 'stripe', timeoutMs: TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES });
  return new Stripe(STRIPE_SECRET_KEY, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
    // The package takes a host, and no path in front of its own.
    httpClient: Stripe.createFetchHttpClient(async (address: string | URL | Request, init?: RequestInit) => {
      const { pathname, search } = new URL(String(address));
      const response = await bounded(`${STRIPE_API_URL}${pathname}${search}`, init);
      if (await isOfStripe(response.clone())) return response;
      // The package does not pass the reason on.
      log.warn({ status: response.status }, 'something else answered in place of Stripe');
      throw new TypeError('not an answer of Stripe');
    }),
  });
}

// Its objects have an id, its lists data.
const successSchema = z.union([z.object({ id: z.string() }), z.object({ data: z.array(z.unknown()) })]);
const failureSchema = z.object({ error: z.object({}) });

// The package takes any JSON without `error` for success, whatever its status, but not only Stripe may answer.
async function isOfStripe(response: Response): Promise<boolean> {
  const body = await response.json().catch(() => null);
  return (response.ok ? successSchema : failureSchema).safeParse(body).success;
}

const MISSING = 'resource_missing';
const NOT_FOUND = 404;

/**
 * Whether Stripe says that something the call names does not exist, or no longer exists; with `param`, only that
 * parameter counts. Errors need not have a code or name a parameter. A path that Stripe does not know says nothing about
 * what exists.
 */
export function isMissingAtStripe(error: unknown, param?: string): boolean {
  if (!isStripeError(error) || (error.code !== MISSING && !isNotFoundAtStripe(error))) return false;
  if (error.message.startsWith('Unrecognized request URL')) return false;
  return param === undefined || (error.param ?? error.message).includes(param);
}

/** Whether Stripe found nothing at the address of a call, be it an object or the kind of call. */
export function isNotFoundAtStripe(error: unknown): boolean {
  return isStripeError(error) && error.statusCode === NOT_FOUND;
}

/** Whether Stripe refused a call because of this parameter. */
export function isRefusedByStripe(error: unknown, param: string): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.param === param;
}

// A call that conflicts with another one, or comes too soon, never begins.
const NOT_BEGUN = [409, 429];

/** Whether Stripe keeps this error as its answer to the call's idempotency key: it answered, and made nothing. */
export function isKeptByStripe(error: unknown): boolean {
  const { statusCode = 0 } = isStripeError(error) ? error : {};
  return statusCode >= 400 && !NOT_BEGUN.includes(statusCode);
}

/** Whether Stripe refused a call for a reason for which it would refuse the same call again. */
export function isRefusedForGood({ statusCode = 0 }: Stripe.errors.StripeError): boolean {
  return statusCode >= 400 && statusCode < 500 && !NOT_BEGUN.includes(statusCode);
}

/** Whether Stripe refused only the idempotency key: for what it answered to it earlier, or for other parameters. */
export function isKeyUsedUp(error: unknown): boolean {
  if (!isStripeError(error) || (error.statusCode ?? 0) >= 500) return false;
  return (
    error instanceof Stripe.errors.StripeIdempotencyError || error.headers?.['idempotent-replayed'] === 'true'
  );
}

/** Whether Stripe refused a call or did not answer it. */
export function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Stripe.errors.StripeError;
}
