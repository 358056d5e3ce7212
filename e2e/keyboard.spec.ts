import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { chosen, holdCalls } from './journey';
import { connectBoth, createRule } from './shortcuts';

const STEPS = 14;

/** Opens a dialog with Enter, moves round in both directions, closes it with Escape, and is back on the opener. */
async function walkThrough(page: Page, opener: Locator, dialog: Locator): Promise<void> {
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  const isInside = () => dialog.evaluate((element) => element.contains(document.activeElement));
  await expect.poll(isInside).toBe(true);
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let step = 0; step < STEPS; step += 1) {
      await page.keyboard.press(key);
      expect(await isInside()).toBe(true);
    }
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
}

test('every dialog holds the focus, closes on Escape and gives the focus back', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const alert = page.getByRole('alertdialog');
  await walkThrough(page, button('Search'), page.getByRole('dialog', { name: 'Search and commands' }));
  await walkThrough(
    page,
    button('Keyboard shortcuts'),
    page.getByRole('dialog', { name: 'Keyboard shortcuts' }),
  );
  await walkThrough(page, button('New Rule'), page.getByRole('dialog', { name: 'Create Notification Rule' }));
  await walkThrough(
    page,
    button('Edit rule Sprint board to #tasks'),
    page.getByRole('dialog', { name: 'Edit Notification Rule' }),
  );
  await walkThrough(page, button('Delete rule Sprint board to #tasks'), alert);
  for (const [path, opener] of [
    ['/discord', 'Disconnect Server'],
    ['/notion', 'Disconnect Workspace'],
    ['/settings', 'Unlink Account'],
    ['/settings', 'Delete Account'],
  ] as const) {
    await page.goto(path);
    await walkThrough(page, button(opener), alert);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await walkThrough(page, button('Open menu'), page.getByRole('dialog', { name: 'Menu' }));
});

test('a button keeps the focus while it works, and works once', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  for (const [path, name, busyName, call] of [
    ['/discord', 'Refresh', 'Refreshing...', '**/api/app/discord/server/refresh'],
    ['/settings', 'Save', 'Saving...', '**/api/app/preferences'],
  ] as const) {
    await page.goto(path);
    const button = page.getByRole('button', { name, exact: true });
    await expect(button).toBeVisible();
    let calls = 0;
    page.on('request', (request) => {
      if (request.method() !== 'GET' && new URL(request.url()).pathname === call.slice(2)) calls += 1;
    });
    const release = await holdCalls(page, call);
    await button.press('Enter');
    const busy = page.getByRole('button', { name: busyName });
    await expect(busy).toBeDisabled();
    await expect(busy).toBeFocused();
    await page.keyboard.press('Enter');
    release();
    await expect(button).toBeEnabled();
    await expect(button).toBeFocused();
    expect(calls, name).toBe(1);
  }
});

test('a dialog closes on a click outside, and not where a selection of its text ends', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await page.goto('/help');
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByRole('heading').hover();
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await page.mouse.up();
  // The press comes after whatever the selection did.
  await dialog.getByRole('switch').click();
  await expect(dialog.getByRole('switch')).not.toBeChecked();
  await page.mouse.click(5, 5);
  await expect(dialog).toBeHidden();
});

test('the second click of a double click neither closes the dialog that it opened nor confirms anything', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  const newRule = page.getByRole('button', { name: 'New Rule' });
  const form = page.getByRole('dialog', { name: 'Create Notification Rule' });
  // Its script is there from now on, so the first click opens it at once.
  await newRule.click();
  await expect(form).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await newRule.hover();
  await page.mouse.down({ clickCount: 1 });
  await page.mouse.up({ clickCount: 1 });
  await expect(form).toBeVisible();
  const secondClick = async () => {
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
  };
  await secondClick();
  await form.getByRole('heading', { level: 2 }).click();
  await page.mouse.click(5, 5);
  await expect(form).toBeHidden();

  // On a phone the button of the question may lie over that of the row.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Delete rule Sprint board to #tasks' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Delete Rule' }).hover();
  await secondClick();
  await question.getByRole('heading').click();
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Delete Rule' }).click();
  await expect(page.getByRole('heading', { name: 'No rules yet' })).toBeVisible();
});

test('after the first rule is made, the focus is in its row', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/rules');
  await page.getByRole('button', { name: 'Create First Rule' }).press('Enter');
  await page.getByRole('button', { name: 'Create Rule' }).press('Enter');
  const row = page.getByRole('listitem', { name: /^Bug reports to #/ });
  await expect(row.locator(':focus')).toHaveCount(1);
});

test('a rule is made, switched and deleted by keyboard alone', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();

  const tabTo = async (target: Locator) => {
    await expect(async () => {
      await page.keyboard.press('Tab');
      await expect(target).toBeFocused({ timeout: 50 });
    }).toPass({ intervals: [0] });
  };
  await tabTo(page.getByRole('link', { name: 'Rules', exact: true }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'No rules yet' })).toBeVisible();
  await tabTo(page.getByRole('button', { name: 'New Rule' }));
  await page.keyboard.press('Enter');

  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Database' }).focus();
  await page.keyboard.type('Sprint');
  await tabTo(dialog.getByRole('combobox', { name: 'Event Type' }));
  await page.keyboard.type('Page U');
  const watched = dialog.getByRole('button', { name: 'Watched Properties' });
  await expect(watched).toBeEnabled();
  await tabTo(watched);
  await page.keyboard.press('Enter');
  const list = dialog.getByRole('group', { name: 'Watched Properties' });
  await expect(list).toBeVisible();
  await expect(list.getByRole('checkbox').first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(list.getByRole('checkbox').nth(1)).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await expect(dialog).toBeVisible();
  await expect(watched).toBeFocused();
  for (const [key, next] of [
    ['Tab', dialog.getByRole('button', { name: 'Displayed Fields' })],
    ['Shift+Tab', dialog.getByRole('combobox', { name: 'Event Type' })],
  ] as const) {
    await watched.focus();
    await page.keyboard.press('Enter');
    await expect(list.getByRole('checkbox').first()).toBeFocused();
    await expect(async () => {
      await page.keyboard.press(key);
      await expect(next).toBeFocused({ timeout: 50 });
    }).toPass({ intervals: [0] });
    // It would cover what has the focus now.
    await expect(list).toBeHidden();
  }
  await expect(watched).not.toContainText('Select properties');
  await tabTo(dialog.getByRole('combobox', { name: 'Channel' }));
  await page.keyboard.type('bui');
  await expect(chosen(page, 'Channel')).toHaveText('build-log · Production');

  await tabTo(dialog.getByRole('button', { name: 'Create Rule' }));
  await page.keyboard.press('Enter');
  const rule = page.getByRole('listitem', { name: 'Sprint board to #build-log' });
  await expect(rule).toBeVisible();
  await tabTo(rule.getByRole('switch'));
  await page.keyboard.press('Space');
  await expect(rule.getByRole('switch')).not.toBeChecked();
  await tabTo(rule.getByRole('button', { name: /^Delete rule/ }));
  await page.keyboard.press('Enter');
  await tabTo(page.getByRole('alertdialog').getByRole('button', { name: 'Delete Rule' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'No rules yet' })).toBeVisible();
});

test('on a phone, what gets the focus is never behind the header', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await page.setViewportSize({ width: 390, height: 700 });
  for (const path of ['/', '/notion', '/help', '/docs/features/notification-rules']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.evaluate(() => {
      window.scrollTo(0, document.documentElement.scrollHeight);
      const links = [...document.querySelectorAll<HTMLElement>('main a[href]')];
      links
        .filter((link) => link.checkVisibility())
        .at(-1)
        ?.focus();
    });
    const hidden: string[] = [];
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press('Shift+Tab');
      const behind = await page.evaluate(() => {
        const focused = document.activeElement;
        if (!focused?.closest('main')) return null;
        const header = [...document.querySelectorAll('header')].find((each) => !each.closest('main'));
        const isBehind = focused.getBoundingClientRect().top < (header?.getBoundingClientRect().bottom ?? 0);
        return isBehind ? focused.textContent : null;
      });
      if (behind !== null) hidden.push(behind);
    }
    expect(hidden, path).toEqual([]);
  }
});
