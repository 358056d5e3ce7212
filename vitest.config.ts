import { defineConfig } from 'vitest/config';
import { findTestsWithDatabase } from './lib/testing/needs-database';
import './lib/testing/own-environment';
import { SlowFirst } from './lib/testing/slow-first';
import { readSourceFiles } from './lib/testing/source-files';

// An offset of 5:45 exposes code that mixes up local time and UTC.
process.env.TZ = 'Asia/Kathmandu';

const HOUSE = 'lib/architecture/*.test.ts';
const withDatabase = findTestsWithDatabase(readSourceFiles());

// Sentry instruments its process for good.
const ALONE = ['lib/error-report.test.ts', 'lib/http/report-error.test.ts'];

const alias = { '@': import.meta.dirname };
const shared = {
  setupFiles: ['lib/testing/begin-afresh.ts', 'lib/testing/fail-on-console.ts'],
  pool: 'forks' as const,
  isolate: false,
  // One more than the gate has processors: tests often wait for processes and clocks.
  maxWorkers: 3,
  // These measure nothing; they only end tests that hang, even on a busy machine.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  // Polled conditions hold at once unless the machine is busy.
  expect: { poll: { timeout: 300_000 } },
};

/** Only tests that lead to the test database start one. */
export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    // The queue's package does not catch that the end of a job cannot be recorded. Workers log it and run the job again;
    // tests that break connections may meet it too.
    onUnhandledError: ({ stack = '' }) => !/graphile-worker\/dist\/sql\/(complete|fail)Jobs/.test(stack),
    projects: [
      { resolve: { alias }, test: { ...shared, name: 'house', include: [HOUSE] } },
      {
        resolve: { alias },
        test: {
          ...shared,
          name: 'plain',
          include: ['{app,components,lib,prisma,sandbox,scripts}/**/*.test.ts'],
          exclude: [HOUSE, ...ALONE, ...withDatabase],
        },
      },
      { resolve: { alias }, test: { ...shared, isolate: true, name: 'alone', include: ALONE } },
      {
        resolve: { alias },
        test: {
          ...shared,
          name: 'product',
          include: withDatabase,
          globalSetup: ['lib/testing/start-database.ts'],
        },
      },
    ],
  },
});
