import { env } from '../env';

/** Sends an unexpected error to Sentry, if a DSN is configured, with the id that the caller was given. */
export function reportError(error: unknown, requestId: string): void {
  if (env().SENTRY_DSN) void report(error, requestId);
}

// Sentry's SDK takes 30 MB, so a process without a DSN does not load it.
async function report(error: unknown, requestId: string): Promise<void> {
  const { captureException } = await import('@sentry/nextjs');
  captureException(error, { tags: { requestId } });
}
