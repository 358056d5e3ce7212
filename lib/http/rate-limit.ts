import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '@/lib/errors';

// Far above what a dashboard does, far below what hurts. An office may share one address.
const perAccount = new RateLimiterMemory({ points: 600, duration: 60 });
const outside = new RateLimiterMemory({ points: 60, duration: 60 });
const perAddress = new RateLimiterMemory({ points: 3000, duration: 60 });

/** Counts one API call of an account. Throws `rate_limited` above ten a second over a minute. */
export function limitAccount(accountId: string): Promise<void> {
  return consume(perAccount, accountId);
}

/** Counts a call that makes Discord or Notion answer. Throws `rate_limited` above a cost of sixty a minute. */
export function limitOutsideCalls(accountId: string, cost = 1): Promise<void> {
  return consume(outside, accountId, cost);
}

/** Counts one API call from the caller's address, before anybody looks at who it is. Throws `rate_limited`. */
export function limitAddress(request: Request): Promise<void> {
  // The last entry was added by the server or proxy nearest to us; earlier ones are the caller's own word.
  const address = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim();
  return consume(perAddress, address ?? 'unknown');
}

async function consume(limiter: RateLimiterMemory, key: string, cost = 1): Promise<void> {
  try {
    await limiter.consume(key, cost);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const seconds = Math.ceil(refused.msBeforeNext / 1000);
    throw new AppError('rate_limited', `Too many requests. Try again in ${seconds} seconds.`);
  }
}
