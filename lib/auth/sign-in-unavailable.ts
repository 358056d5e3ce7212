import { AppError } from '@/lib/errors';
import { log } from '@/lib/log';
import { MINUTE_MS } from '@/lib/time';

const RETRY_AFTER_SECONDS = 3;

let loggedAt = Number.NEGATIVE_INFINITY;

/**
 * The error while the identity provider fails; nobody is signed out because of that. Logs the cause at most once a
 * minute, because every call fails then.
 */
export function signInUnavailable(cause: unknown): AppError {
  if (performance.now() - loggedAt >= MINUTE_MS) {
    loggedAt = performance.now();
    log.error({ err: cause }, 'the sign-in service fails');
  }
  return new AppError('unavailable', 'The sign-in service does not answer. Try again in a minute.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
