import { captureException } from '@sentry/nextjs';

/** Sends an unexpected error to Sentry, when a DSN is configured, under the id that the caller was given. */
export function reportError(error: unknown, requestId: string): void {
  captureException(error, { tags: { requestId } });
}
