import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { connectBoth, createRule } from './shortcuts';

test('the ring around what has the focus is of one colour from its first moment', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  for (const path of ['/', '/rules', '/settings', '/settings/billing', '/docs']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // After any key, the browser draws focus rings.
    await page.keyboard.press('Tab');
    const colours = await page.evaluate(() => {
      const all = document.querySelectorAll<HTMLElement>(
        'a[href], button:not(:disabled), select, input, summary',
      );
      return [...all].map((element) => {
        element.focus();
        return getComputedStyle(element).outlineColor;
      });
    });
    expect(colours.length).toBeGreaterThan(3);
    expect(new Set(colours).size, path).toBe(1);
  }
});

test('nothing moves for whoever wants no motion', async ({ page, signIn }) => {
  await signIn('mira');
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  const durations = await page.evaluate(() => {
    const dialog = document.querySelector('dialog');
    return (
      dialog && [undefined, '::backdrop'].map((part) => getComputedStyle(dialog, part).animationDuration)
    );
  });
  expect(durations).toEqual(['1e-05s', '1e-05s']);
});

test('a primary button that is disabled looks so in both themes', async ({ page, signIn }) => {
  await signIn('mira');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto('/settings/billing');
    const enabled = await paintOf(page, 'Upgrade Now');
    await page.goto('/rules');
    const disabled = await paintOf(page, 'New Rule');
    expect(disabled.background, colorScheme).not.toBe(enabled.background);
    expect(disabled.text, colorScheme).not.toBe(enabled.text);
  }
});

async function paintOf(page: Page, button: string): Promise<{ background: string; text: string }> {
  return page.getByRole('button', { name: button }).evaluate((element) => {
    const { backgroundColor, color } = getComputedStyle(element);
    return { background: backgroundColor, text: color };
  });
}
