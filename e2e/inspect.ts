import { mkdirSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import axe from 'axe-core';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

// Contrast depends on the theme and structure on the width, so two of the four combinations find all errors.
const LOOKS = [
  { name: 'desktop', size: { width: 1440, height: 900 }, theme: 'light', checked: true },
  { name: 'desktop', size: { width: 1440, height: 900 }, theme: 'dark', checked: false },
  { name: 'phone', size: { width: 390, height: 844 }, theme: 'light', checked: false },
  { name: 'phone', size: { width: 390, height: 844 }, theme: 'dark', checked: true },
] as const;
const SMALLEST = { width: 360, height: 740 };
const PICTURES = process.env['PAGEWIRE_SHOTS'];

/**
 * Inspects the current state of a page: wide and light, narrow and dark, and on the smallest phone. Expects no
 * accessibility error, and nothing wider than the screen or the open dialog. PAGEWIRE_SHOTS names a folder for
 * pictures.
 */
export async function inspect(page: Page, state: string): Promise<void> {
  await test.step(`look at ${state}`, async () => {
    const before = page.viewportSize();
    // The title of a page streams in after its content.
    await expect(page).toHaveTitle(/./);
    for (const { name, size, theme, checked } of LOOKS) {
      if (!checked && !PICTURES) continue;
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: theme });
      await takePicture(page, `${state} ${name} ${theme}`);
      if (!checked) continue;
      expect.soft(await findViolations(page), `${state}, ${name}, ${theme}`).toEqual([]);
      await expectToFit(page, `${state}, ${name}`);
    }
    await page.setViewportSize(SMALLEST);
    await expectToFit(page, `${state}, smallest phone`);
    await page.emulateMedia({ colorScheme: 'light' });
    if (before) await page.setViewportSize(before);
  });
}

/** Expects that nothing on the page or in an open dialog is wider than the space that it has. */
async function expectToFit(page: Page, state: string): Promise<void> {
  const tooWide = await page.evaluate(() => {
    const dialog = ':is(dialog, [role=dialog], [role=alertdialog])';
    const inDialogs = [...document.querySelectorAll(`${dialog}, ${dialog} *`)].filter(
      (element) =>
        element.matches(dialog) || ['auto', 'scroll'].includes(getComputedStyle(element).overflowX),
    );
    return [document.documentElement, ...inDialogs]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(
        (element) =>
          `${element.tagName} ${element.className}: ${element.scrollWidth} > ${element.clientWidth}`,
      );
  });
  expect.soft(tooWide, `${state}: wider than its room`).toEqual([]);
}

/** Axe's findings for the current state of a page. axe is loaded once per document, which takes longer than a check. */
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
