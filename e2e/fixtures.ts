import { test as base, expect, type Page } from '@playwright/test';
import { PEOPLE, type Person } from '../sandbox/people';
import { ProductControl } from './product-control';
import { signIn } from './shortcuts';
import { type Product, startProduct } from './start-product';

interface WorkerFixtures {
  /** The application and the sandbox of this worker's journeys. */
  product: Product;
}

interface Fixtures {
  /** The sandbox's switches; everything is reset before each journey. */
  control: ProductControl;
  /** Console messages that a journey expects in the browser. */
  expectedConsole: RegExp;
  signIn(person: Person['key']): Promise<void>;
  /** Logs in as people do: from the login page to the page that the login leads to. */
  signInOnPages(person: Person['key']): Promise<void>;
  /** A stand-in's page as this person sees it. */
  openDiscord(person: Person['key']): Promise<Page>;
  openNotion(person: Person['key']): Promise<Page>;
  watchConsole: undefined;
}

export { expect };

const START_TIMEOUT_MS = 180_000;

export const test = base.extend<Fixtures, WorkerFixtures>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
    async ({}, use, { workerIndex }) => {
      const running = await startProduct(workerIndex);
      await use(running.product);
      await running.stop();
    },
    { scope: 'worker', timeout: START_TIMEOUT_MS },
  ],

  expectedConsole: [/^$/, { option: true }],

  control: async ({ product }, use) => {
    const control = new ProductControl(product);
    await control.reset();
    await use(control);
    await control.clearFaults();
    await control.restoreColumns();
  },

  baseURL: async ({ control }, use) => {
    await use(control.product.appUrl);
  },

  watchConsole: [
    async ({ page, expectedConsole }, use) => {
      const lines: string[] = [];
      page.on('pageerror', (error) => lines.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') lines.push(message.text());
      });
      await use(undefined);
      expect(lines.filter((line) => !expectedConsole.test(line))).toEqual([]);
    },
    { auto: true },
  ],

  signIn: async ({ page }, use) => {
    await use((key) => signIn(page, key));
  },

  signInOnPages: async ({ page }, use) => {
    await use(async (key) => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Login with Discord' }).click();
      await page.getByRole('button', { name: nameOf(key) }).click();
      await page.waitForURL((url) => ['/', '/setup'].includes(url.pathname));
    });
  },

  openDiscord: async ({ context, control }, use) => {
    await use(async (key) => openAs(await context.newPage(), `${control.product.sandbox.discord}/`, key));
  },

  openNotion: async ({ context, control }, use) => {
    await use(async (key) => openAs(await context.newPage(), `${control.product.sandbox.notion}/`, key));
  },
});

function nameOf(key: Person['key']): string {
  return PEOPLE.find((person) => person.key === key)?.name ?? key;
}

async function openAs(page: Page, url: string, key: Person['key']): Promise<Page> {
  await page.goto(`${url}?person=${key}`);
  return page;
}
