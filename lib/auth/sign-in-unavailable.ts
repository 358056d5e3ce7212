import { AppError } from '@/lib/errors';

const RETRY_AFTER_SECONDS = 3;

/** The identity provider is failing; nobody is signed out because of that. */
export const signInUnavailable = () =>
  new AppError('unavailable', 'The sign-in service does not answer. Try again in a minute.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
