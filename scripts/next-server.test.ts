import { expect, test, vi } from 'vitest';
import { environmentOf } from './next-server';

test('a server for the demo and the journeys takes its configuration from nowhere else', () => {
  vi.stubEnv('WORKER', 'off');
  vi.stubEnv('SENTRY_DSN', 'https://key@sentry.example/1');
  vi.stubEnv('APP_URL', 'https://pagewire.example');
  vi.stubEnv('MALLOC_ARENA_MAX', '2');
  expect(environmentOf({ APP_URL: 'http://localhost:3000' })).toMatchObject({
    WORKER: '',
    SENTRY_DSN: '',
    APP_URL: 'http://localhost:3000',
    MALLOC_ARENA_MAX: '2',
    PATH: process.env['PATH'],
  });
});
