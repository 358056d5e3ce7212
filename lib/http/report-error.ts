import { captureException } from '@sentry/nextjs';

/** Sends an unexpected error to Sentry, if a DSN is configured, with the id that the caller was given. */
export function reportError(error: unknown, requestId: string): void {
  captureException(error, { tags: { requestId } });
}
