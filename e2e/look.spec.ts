import type { Locator, Page } from '@playwright/test';
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

test('with forced colours, what is on, marked or used up shows without a background of ours', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await control.setSent(500);
  await page.emulateMedia({ forcedColors: 'active' });
  const background = (of: Locator) => of.evaluate((element) => getComputedStyle(element).backgroundColor);
  const differ = async (one: Locator, other: Locator) =>
    expect(await background(one)).not.toBe(await background(other));

  await page.goto('/');
  const bar = page.getByRole('progressbar');
  await differ(bar.locator('div'), bar);
  const pages = page.getByRole('navigation', { name: 'Main' });
  await differ(pages.getByRole('link', { name: 'Home' }), pages.getByRole('link', { name: 'Rules' }));

  await page.goto('/rules');
  const onOff = page.getByRole('switch');
  await differ(onOff.locator('span'), onOff);
  await onOff.click();
  await expect(onOff).not.toBeChecked();
  await differ(onOff.locator('span'), onOff);

  await page.keyboard.press('Control+k');
  const entries = page.getByRole('option');
  await expect(entries.first()).toHaveAttribute('aria-selected', 'true');
  await differ(entries.first(), entries.nth(1));
  await expect(entries.first()).toHaveCSS('forced-color-adjust', 'none');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'New Rule' }).click();
  await page.getByRole('button', { name: 'Displayed Fields' }).click();
  const fields = page.getByRole('group', { name: 'Displayed Fields' }).locator('label');
  await expect(fields.first().getByRole('checkbox')).toBeFocused();
  await page.mouse.move(0, 0);
  await differ(fields.first(), fields.nth(1));
});

test('in the dark theme, a print has dark letters on white paper', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/docs');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark');
  const onScreen = await colourOf(heading);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'light');
  expect(await colourOf(heading)).not.toBe(onScreen);
  const onPaper = await colourOf(heading);
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  expect(await colourOf(heading)).toBe(onPaper);
});

test('no page of a print has the link over it that skips to the content', async ({ page, signIn }) => {
  await signIn('mira');
  await page.goto('/activity');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(skip).toBeHidden();
});

test('a printed page of the documentation leaves no heading alone at the bottom of a sheet', async ({
  page,
}) => {
  await page.goto('/docs/troubleshooting');
  await page.emulateMedia({ media: 'print' });
  for (const heading of await page.getByRole('heading', { level: 2 }).all()) {
    await expect(heading).toHaveCSS('break-after', 'avoid');
  }
});

const colourOf = (of: Locator) => of.evaluate((element) => getComputedStyle(element).color);

test('beside the sidebar of a small window, the actions of a page are at the right of its title', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await page.setViewportSize({ width: 1000, height: 900 });
  await page.goto('/rules');
  await expect(page.getByRole('button', { name: 'New Rule' })).toBeVisible();
  const title = await page.getByRole('heading', { level: 1 }).boundingBox();
  const action = await page.getByRole('button', { name: 'New Rule' }).boundingBox();
  expect(action?.y).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0));
});

test('for whoever reads large letters, nothing is wider than the window', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  for (const path of ['/', '/rules', '/discord', '/notion', '/accounts', '/settings', '/settings/billing']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
    await expect(page.getByRole('main')).toHaveCSS('font-size', '28px');
    // The lines are as long as before, counted in letters.
    await expect(page.getByRole('main').locator(':scope > div').last()).toHaveCSS('max-width', '2080px');
    const tooWide = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('aside button')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    );
    expect(tooWide, path).toEqual([]);
  }
});

test('for whoever reads large letters on a phone, all text grows, and nothing is cut or covered', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of [
    ...['/', '/rules', '/activity', '/discord', '/notion', '/accounts', '/settings', '/settings/billing'],
    ...['/help', '/docs', '/docs/features/commands'],
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    // The smallest are those in the pictures of people, 10 pixels high.
    await expect.poll(() => smallestLetters(page), path).toBeGreaterThanOrEqual(20);
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    expect(scrollWidth, path).toBe(clientWidth);
  }

  await page.goto('/rules');
  const row = page.getByRole('listitem', { name: 'Sprint board to #tasks' });
  const parts = [
    ...[row.getByText('Sprint board', { exact: true }), row.getByTitle('#tasks')],
    ...[row.getByText('Ready'), row.getByRole('switch')],
    ...['Edit', 'Duplicate', 'Delete'].map((verb) => row.getByRole('button', { name: verb })),
  ];
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  await expect(row).toHaveCSS('font-size', '28px');
  const boxes = await Promise.all(parts.map((part) => part.evaluate(boxIn)));
  for (const [index, box] of boxes.entries()) {
    expect(box.right).toBeLessThanOrEqual(390);
    const covered = boxes.filter((other, at) => at > index && overlap(box, other));
    expect(covered, String(parts[index])).toEqual([]);
  }
});

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

const boxIn = (element: Element): Box => element.getBoundingClientRect().toJSON();

const overlap = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** The size of the smallest letters on a page. */
const smallestLetters = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let smallest = Number.POSITIVE_INFINITY;
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const of = text.parentElement;
      if (!text.textContent?.trim() || !of?.checkVisibility()) continue;
      smallest = Math.min(smallest, Number.parseFloat(getComputedStyle(of).fontSize));
    }
    return smallest;
  });

test('in a window that is magnified four times, the menu and a dialog can be used', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto('/rules');
  await page.getByRole('button', { name: 'New Rule' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByRole('combobox', { name: 'Database' });
  const spaceFor = async () => {
    await field.scrollIntoViewIfNeeded();
    return field.evaluate((element) => {
      let scroller = element.parentElement;
      while (scroller && getComputedStyle(scroller).overflowY !== 'auto') scroller = scroller.parentElement;
      return scroller?.clientHeight;
    });
  };
  await expect.poll(spaceFor).toBeGreaterThan(200);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open menu' }).click();
  const entry = page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Help' });
  await entry.scrollIntoViewIfNeeded();
  await expect(entry).toBeInViewport({ ratio: 1 });
});

test('for whoever sets letters and words apart, nothing is wider than a small phone', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ['/', '/rules', '/discord', '/accounts', '/settings/billing', '/docs/troubleshooting']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // The spacing of https://www.w3.org/TR/WCAG22/#text-spacing
    await page.evaluate(() => {
      for (const { style } of document.querySelectorAll<HTMLElement>('body *')) {
        style.setProperty('line-height', '1.5', 'important');
        style.setProperty('letter-spacing', '0.12em', 'important');
        style.setProperty('word-spacing', '0.16em', 'important');
      }
    });
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    expect(scrollWidth, path).toBe(clientWidth);
  }
});

test.describe('where dates are read from right to left', () => {
  test.use({ locale: 'ar-EG' });

  test('the number of a day stays behind its date', async ({ page, signIn }) => {
    await signIn('mira');
    await page.goto('/');
    const shown = page.getByText(/: 0 notifications$/);
    await expect(shown).toHaveText(/\p{Script=Arabic}/u);
    const [date, number] = await shown.evaluate((element) =>
      [element, element.querySelector('span')].map((each) => {
        const text = document.createTreeWalker(each as Node, NodeFilter.SHOW_TEXT).nextNode() as Text;
        const range = document.createRange();
        range.setStart(text, 0);
        range.setEnd(text, each === element ? text.length : 1);
        return range.getBoundingClientRect().toJSON();
      }),
    );
    expect(number.left).toBeGreaterThanOrEqual(date.right);
  });
});

test.describe('where dates are long', () => {
  test.use({ locale: 'de-DE' });

  test('those below the chart stand apart on a small phone', async ({ page, signIn }) => {
    await signIn('mira');
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto('/');
    const dates = page
      .getByRole('region', { name: 'Usage This Month' })
      .locator('span:visible')
      .filter({ hasText: /^\d+\. \S+$/ });
    await expect.poll(() => dates.count()).toBeGreaterThan(1);
    const boxes = await dates.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
    const gaps = boxes.slice(1).map((box, index) => box.left - (boxes[index]?.right ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(4);
  });
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
