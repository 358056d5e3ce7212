import { expect, test, vi } from 'vitest';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { startSentry } from '@/lib/testing/sentry-stand-in';

test('an unexpected error arrives at Sentry with the id that the caller was given', async () => {
  const sentry = await startSentry();
  for (const [name, value] of Object.entries(COMPLETE_ENVIRONMENT)) vi.stubEnv(name, value);
  vi.stubEnv('SENTRY_DSN', sentry.dsn);
  const { close, init } = await import('@sentry/nextjs');
  const { reportError } = await import('./report-error');
  init({ dsn: sentry.dsn });
  reportError(new Error('something unexpected'), 'request-17');
  await expect.poll(sentry.received).toContain('something unexpected');
  expect(sentry.received()).toContain('request-17');
  await close(5000);
  sentry.stop();
});
