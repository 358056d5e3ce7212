import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright';
import { ensureBrowser } from '../scripts/browser';
import type { Lifetime } from '../scripts/lifetime';
import { freePort } from '../scripts/port';
import { startBenchProduct } from './bench-product';
import { tellStory } from './bench-story';
import { startEmptyApp } from './empty-app';
import { lighthouse } from './lighthouse';
import { figures } from './measure';
import { loadPage, type PageLoad } from './page-load';

const LOADS = 5;
const SIGNED_OUT = ['/login', '/docs', '/docs/getting-started'];
const SIGNED_IN = [
  '/',
  '/setup',
  '/rules',
  '/activity',
  '/discord',
  '/notion',
  '/accounts',
  '/settings',
  '/settings/billing',
  '/help',
];

export interface PageRow {
  page: string;
  /** Compressed kilobytes of script over the wire. */
  script: number;
  /** Kilobytes beyond those of the empty application. */
  more: number;
  firstPaintMs: number;
  usableMs: number;
  layoutShift: number;
  /** Lighthouse: performance on a desktop and on a slow phone, and accessibility. */
  desktop?: number | undefined;
  phone?: number | undefined;
  accessibility?: number | undefined;
}

interface Browser {
  context: BrowserContext;
  port: number;
}

/** What each page of the production build costs, compared with an empty application of the same versions. */
export async function measurePages(lifetime: Lifetime): Promise<PageRow[]> {
  const emptyUrl = await startEmptyApp(lifetime);
  const product = await startBenchProduct(lifetime);
  const browser = await openBrowser(lifetime);
  const empty = await measurePage(lifetime, browser, { name: 'an empty application', url: emptyUrl });

  const rows: PageRow[] = [empty];
  const measure = async (path: string, then?: (page: Page) => Promise<void>) => {
    const name = then ? `${path}, with its dialog` : path;
    const page = { name, url: product.appUrl + path, emptyScript: empty.script, then };
    rows.push(await measurePage(lifetime, browser, page));
  };
  for (const path of SIGNED_OUT) await measure(path);
  await signIn(browser.context, product.appUrl);
  await measure('/setup');
  await tellStory(product, 3);
  for (const path of SIGNED_IN.filter((each) => each !== '/setup')) await measure(path);
  await measure('/rules', openRuleDialog);
  return rows;
}

async function openBrowser(lifetime: Lifetime): Promise<Browser> {
  const { executablePath, args } = ensureBrowser();
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'pagewire-browser-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: [...args, `--remote-debugging-port=${port}`],
    viewport: { width: 1280, height: 900 },
  });
  lifetime.add(async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { context, port };
}

async function signIn(context: BrowserContext, appUrl: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(appUrl);
  await page.getByRole('button', { name: 'Login with Discord' }).click();
  await page.getByRole('button', { name: 'Mira Castellan' }).click();
  await page.waitForURL('**/setup');
  await page.close();
}

async function openRuleDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New Rule' }).click();
  await page.getByRole('dialog').waitFor();
}

interface MeasuredPage {
  name: string;
  url: string;
  /** Kilobytes of script of the empty application. */
  emptyScript?: number;
  /** What is done on the page before it is measured. */
  then?: ((page: Page) => Promise<void>) | undefined;
}

async function measurePage(
  lifetime: Lifetime,
  { context, port }: Browser,
  { name, url, emptyScript, then }: MeasuredPage,
): Promise<PageRow> {
  const loads: PageLoad[] = [];
  for (let load = 0; load < LOADS; load += 1) loads.push(await loadPage(context, url, then));
  const median = (pick: (load: PageLoad) => number) => figures(loads.map(pick)).median;
  const script = Math.round(median(({ scriptBytes }) => scriptBytes) / 102.4) / 10;
  const row: PageRow = {
    page: name,
    script,
    more: Math.round((script - (emptyScript ?? script)) * 10) / 10,
    firstPaintMs: Math.round(median(({ firstPaintMs }) => firstPaintMs)),
    usableMs: Math.round(median(({ usableMs }) => usableMs)),
    layoutShift: Math.round(Math.max(...loads.map(({ layoutShift }) => layoutShift)) * 1000) / 1000,
  };
  if (then) return row;
  const desktop = await lighthouse(lifetime, url, { port, device: 'desktop' });
  const phone = await lighthouse(lifetime, url, { port, device: 'phone' });
  return {
    ...row,
    desktop: desktop?.performance,
    phone: phone?.performance,
    accessibility: desktop?.accessibility,
  };
}
