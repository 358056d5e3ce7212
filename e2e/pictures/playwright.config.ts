import { defineConfig } from '@playwright/test';
import journeys from '../../playwright.config';

/** The pictures of the documentation: `npm run docs:pictures`. They run against the same product as the journeys. */
export default defineConfig({
  ...journeys,
  testDir: '.',
  testMatch: '*.pictures.ts',
  globalSetup: '../build-product.ts',
  outputDir: '../../.pagewire/pictures-output',
  retries: 0,
  timeout: 180_000,
  use: {
    ...journeys.use,
    timezoneId: 'UTC',
    viewport: { width: 1200, height: 750 },
    deviceScaleFactor: 1.5,
  },
});
