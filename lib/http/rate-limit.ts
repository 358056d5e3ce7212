import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '@/lib/errors';

// Far above what a dashboard does, far below what hurts. An office may share one address.
const perAccount = new RateLimiterMemory({ points: 600, duration: 60 });
const perAddress = new RateLimiterMemory({ points: 3000, duration: 60 });

/** Counts one API call of an account. Throws `rate_limited` above ten a second over a minute. */
export function limitAccount(accountId: string): Promise<void> {
  return consume(perAccount, accountId);
}

/** Counts one API call from the caller's address, before anybody looks at who it is. Throws `rate_limited`. */
export function limitAddress(request: Request): Promise<void> {
  // The last entry was added by the server or proxy nearest to us; earlier ones are the caller's own word.
  const address = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim();
  return consume(perAddress, address ?? 'unknown');
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const seconds = Math.ceil(refused.msBeforeNext / 1000);
    throw new AppError('rate_limited', `Too many requests. Try again in ${seconds} seconds.`);
  }
}
