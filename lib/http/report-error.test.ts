import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';

test('an unexpected error arrives at Sentry with the id that the caller was given', async () => {
  let received = '';
  const sentry = createServer((request, response) => {
    request.on('data', (part) => {
      received += part;
    });
    request.on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await once(sentry, 'listening');
  const dsn = `http://key@127.0.0.1:${(sentry.address() as AddressInfo).port}/1`;
  for (const [name, value] of Object.entries(COMPLETE_ENVIRONMENT)) vi.stubEnv(name, value);
  vi.stubEnv('SENTRY_DSN', dsn);
  const { close, init } = await import('@sentry/nextjs');
  const { reportError } = await import('./report-error');
  init({ dsn });
  reportError(new Error('something unexpected'), 'request-17');
  await expect.poll(() => received, { timeout: 10_000 }).toContain('something unexpected');
  expect(received).toContain('request-17');
  await close(5000);
  sentry.close();
});
