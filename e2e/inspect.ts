import { mkdirSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import axe from 'axe-core';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

// Contrast depends on the theme and structure on the width, so two of the four combinations find the errors of all.
const LOOKS = [
  { name: 'desktop', size: { width: 1440, height: 900 }, theme: 'light', checked: true },
  { name: 'desktop', size: { width: 1440, height: 900 }, theme: 'dark', checked: false },
  { name: 'phone', size: { width: 390, height: 844 }, theme: 'light', checked: false },
  { name: 'phone', size: { width: 390, height: 844 }, theme: 'dark', checked: true },
] as const;
const SMALLEST = { width: 360, height: 740 };
const PICTURES = process.env['PAGEWIRE_SHOTS'];

/**
 * Inspects what a page shows now, wide and light, then narrow and dark: no accessibility error, and nothing wider than
 * the smallest phone. PAGEWIRE_SHOTS names a folder for pictures.
 */
export async function inspect(page: Page, state: string): Promise<void> {
  await test.step(`look at ${state}`, async () => {
    const before = page.viewportSize();
    for (const { name, size, theme, checked } of LOOKS) {
      if (!checked && !PICTURES) continue;
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: theme });
      await takePicture(page, `${state} ${name} ${theme}`);
      if (!checked) continue;
      expect.soft(await findViolations(page), `${state}, ${name}, ${theme}`).toEqual([]);
    }
    await page.setViewportSize(SMALLEST);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft(overflow, `${state} is wider than a small phone`).toBeLessThanOrEqual(0);
    await page.emulateMedia({ colorScheme: 'light' });
    if (before) await page.setViewportSize(before);
  });
}

/** What axe finds wrong with what a page shows now. Each document loads it once, which takes longer than a look. */
export async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run({ resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name.replaceAll(/[^\w]+/g, '-')}.png`, fullPage: true });
}
