import { defineConfig } from '@playwright/test';
import './lib/testing/own-environment';
import { ensureBrowser } from './scripts/browser';

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/build-product.ts',
  outputDir: '.pagewire/journeys-output',
  // Each worker has its own application and sandbox. The other tests run meanwhile and keep the processors busy.
  workers: 2,
  fullyParallel: true,
  // A browser on a busy machine may be late once; the run names whatever passed only when repeated.
  retries: 1,
  // So many share one cause, and each would time out.
  maxFailures: 10,
  forbidOnly: Boolean(process.env.CI),
  // Only a busy machine needs this long; waits end as soon as they can.
  timeout: 400_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    launchOptions: ensureBrowser(),
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-US',
    timezoneId: 'Asia/Kathmandu',
    viewport: { width: 1280, height: 900 },
    // Tracing every journey for the few that fail is expensive; `--trace on` enables it.
    screenshot: 'only-on-failure',
  },
});
