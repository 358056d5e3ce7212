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
const EMPTY = 'an empty application';
const SIGNED_OUT = ['/login', '/docs', '/docs/getting-started'];
const SIGNED_IN = [
  '/',
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
}

/** Lighthouse's scores of a page, out of 100; absent where npm cannot download it. */
export interface ScoreRow {
  page: string;
  desktop?: number | undefined;
  phone?: number | undefined;
  accessibility?: number | undefined;
}

interface Browser {
  context: BrowserContext;
  port: number;
}

/** The cost of each page of the production build, compared with an empty application of the same versions. */
export async function measurePages(lifetime: Lifetime): Promise<PageRow[]> {
  const emptyUrl = await startEmptyApp(lifetime);
  const browser = await openBrowser(lifetime);
  const empty = await measurePage(browser, { name: EMPTY, url: emptyUrl });
  const rows: PageRow[] = [empty];
  const measure = async (path: string, url: string, then?: (page: Page) => Promise<void>) => {
    const name = then ? `${path}, with its dialog` : path;
    rows.push(await measurePage(browser, { name, url, emptyScript: empty.script, then }));
  };
  const appUrl = await visitPages(lifetime, browser, measure);
  await measure('/rules', `${appUrl}/rules`, openRuleDialog);
  return rows;
}

/** Lighthouse's scores of each page. Those of an empty application come first; they show how fast the machine is. */
export async function scorePages(lifetime: Lifetime): Promise<ScoreRow[]> {
  const browser = await openBrowser(lifetime);
  const rows: ScoreRow[] = [];
  const score = async (page: string, url: string) => {
    const desktop = await lighthouse(lifetime, url, { port: browser.port, device: 'desktop' });
    const phone = await lighthouse(lifetime, url, { port: browser.port, device: 'phone' });
    const { accessibility } = desktop ?? {};
    rows.push({ page, desktop: desktop?.performance, phone: phone?.performance, accessibility });
  };
  await score(EMPTY, await startEmptyApp(lifetime));
  await visitPages(lifetime, browser, score);
  return rows;
}

/** Calls `visit` for each page while it has something to show. Returns the application's address. */
async function visitPages(
  lifetime: Lifetime,
  { context }: Browser,
  visit: (path: string, url: string) => Promise<void>,
): Promise<string> {
  const product = await startBenchProduct(lifetime);
  const { appUrl } = product;
  for (const path of SIGNED_OUT) await visit(path, appUrl + path);
  await signIn(context, appUrl);
  await visit('/setup', `${appUrl}/setup`);
  await tellStory(product, 3);
  for (const path of SIGNED_IN) await visit(path, appUrl + path);
  return appUrl;
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
  await page.getByRole('button', { name: 'Conditions', exact: true }).click();
  await page.getByRole('button', { name: 'Add Condition' }).click();
}

interface MeasuredPage {
  name: string;
  url: string;
  /** Kilobytes of script in the empty application. */
  emptyScript?: number;
  /** Done on the page before it is measured. */
  then?: ((page: Page) => Promise<void>) | undefined;
}

async function measurePage(
  { context }: Browser,
  { name, url, emptyScript, then }: MeasuredPage,
): Promise<PageRow> {
  const loads: PageLoad[] = [];
  for (let load = 0; load < LOADS; load += 1) loads.push(await loadPage(context, url, then));
  const median = (pick: (load: PageLoad) => number) => figures(loads.map(pick)).median;
  const script = Math.round(median(({ scriptBytes }) => scriptBytes) / 102.4) / 10;
  return {
    page: name,
    script,
    more: Math.round((script - (emptyScript ?? script)) * 10) / 10,
    firstPaintMs: Math.round(median(({ firstPaintMs }) => firstPaintMs)),
    usableMs: Math.round(median(({ usableMs }) => usableMs)),
    layoutShift: Math.round(Math.max(...loads.map(({ layoutShift }) => layoutShift)) * 1000) / 1000,
  };
}
