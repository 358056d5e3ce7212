import type { BrowserContext, Page } from 'playwright';

/** One cold load of a page. */
export interface PageLoad {
  /** Compressed bytes of all scripts over the wire. */
  scriptBytes: number;
  firstPaintMs: number;
  /** When the page's heading appeared, with the account's data. */
  usableMs: number;
  /** Chromium's cumulative layout shift. */
  layoutShift: number;
}

interface Watched {
  usableMs: number | null;
  layoutShift: number;
}

const QUIET_MS = 500;

/** Loads an address in a fresh tab with an empty cache, and waits until the network is quiet. */
export async function loadPage(
  context: BrowserContext,
  url: string,
  then?: (page: Page) => Promise<void>,
): Promise<PageLoad> {
  const page = await context.newPage();
  try {
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.setCacheDisabled', { cacheDisabled: true });
    const scripts = new Set<string>();
    let scriptBytes = 0;
    network.on('Network.responseReceived', ({ requestId, response }) => {
      if (response.mimeType.endsWith('javascript')) scripts.add(requestId);
    });
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) scriptBytes += encodedDataLength;
    });
    await page.addInitScript(watch);
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await then?.(page);
    await page.waitForTimeout(QUIET_MS);
    const { usableMs, layoutShift } = await page.evaluate(
      () => (window as unknown as { watched: Watched }).watched,
    );
    const firstPaintMs = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    );
    if (usableMs === null || firstPaintMs === undefined) throw new Error(`${url} showed nothing`);
    return { scriptBytes, firstPaintMs, usableMs, layoutShift };
  } finally {
    await page.close();
  }
}

// Runs in the page, before its scripts. No function in it has a name, because the compiler would wrap it.
function watch(): void {
  const watched: Watched = { usableMs: null, layoutShift: 0 };
  (window as unknown as { watched: Watched }).watched = watched;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      };
      if (!hadRecentInput) watched.layoutShift += value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new MutationObserver((_, observer) => {
    if (!document.querySelector('h1')) return;
    watched.usableMs = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
}
