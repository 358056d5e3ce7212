import { defineConfig } from 'vitest/config';
import { SlowFirst } from './lib/testing/slow-first';

// An offset of 5:45 exposes code that mixes up local time and UTC.
process.env.TZ = 'Asia/Kathmandu';

const HOUSE = 'lib/architecture.test.ts';
const SANDBOX = 'sandbox/**/*.test.ts';

const alias = { '@': import.meta.dirname };
const shared = {
  setupFiles: ['lib/testing/fail-on-console.ts'],
  pool: 'forks' as const,
  maxWorkers: 2,
  testTimeout: 45_000,
  hookTimeout: 30_000,
  // What is waited for comes at once, or the machine is busy.
  expect: { poll: { timeout: 30_000 } },
};

/** Only the tests of the product need a database, so only they start one. */
export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    projects: [
      { resolve: { alias }, test: { ...shared, name: 'house', include: [HOUSE] } },
      { resolve: { alias }, test: { ...shared, name: 'sandbox', include: [SANDBOX] } },
      {
        resolve: { alias },
        test: {
          ...shared,
          name: 'product',
          include: ['{app,components,lib,prisma,scripts}/**/*.test.ts'],
          exclude: [HOUSE],
          globalSetup: ['lib/testing/start-database.ts'],
        },
      },
    ],
  },
});
