import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '@/lib/errors';

// Ten calls a second for a minute: far above what a dashboard does, far below what hurts.
const perAccount = new RateLimiterMemory({ points: 600, duration: 60 });

/** Counts one API call of an account in this process. Throws `rate_limited` above ten a second over a minute. */
export async function limitRate(accountId: string): Promise<void> {
  try {
    await perAccount.consume(accountId);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const seconds = Math.ceil(refused.msBeforeNext / 1000);
    throw new AppError('rate_limited', `Too many requests. Try again in ${seconds} seconds.`);
  }
}
