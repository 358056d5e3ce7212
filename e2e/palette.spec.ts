import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { editTask } from './journey';
import { connectBoth, createRule } from './shortcuts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' });
const field = (page: Page) => palette(page).getByRole('combobox');
const chosen = (page: Page) => palette(page).getByRole('option', { selected: true });
const shortcuts = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });
const newRule = (page: Page) => page.getByRole('dialog', { name: 'Create Notification Rule' });

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Opens the palette, types, and chooses the option that is marked then. */
async function choose(page: Page, words: string, option: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(words);
  await expect(chosen(page)).toHaveText(option);
  await page.keyboard.press('Enter');
}

test('the palette leads to pages, rules, databases and the documentation by keyboard alone', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await open(page, '/settings');

  await test.step('it closes with Escape or its own key, and gives the focus back', async () => {
    const button = page.getByRole('button', { name: 'Delete Account' });
    await button.focus();
    for (const key of ['Escape', 'Control+k']) {
      await page.keyboard.press('Control+k');
      await expect(field(page)).toBeFocused();
      await page.keyboard.press(key);
      await expect(palette(page)).toBeHidden();
      await expect(button).toBeFocused();
    }
  });

  await test.step('the arrow keys choose', async () => {
    await page.keyboard.press('Control+k');
    await expect(chosen(page)).toHaveText('Home');
    await inspect(page, 'palette');
    await page.keyboard.press('ArrowDown');
    await expect(chosen(page)).toHaveText('Rules');
    await page.keyboard.press('ArrowDown');
    await expect(chosen(page)).toHaveText('Activity');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/activity');
    await expect(palette(page)).toBeHidden();
    await expect(page.getByRole('main')).toBeFocused();
  });

  await test.step('a rule opens its deliveries', async () => {
    await choose(page, 'status sprint', 'Sprint board: Status changes → #tasks');
    const deliveries = page.getByRole('dialog', { name: 'Sprint board → #tasks' });
    await expect(deliveries).toBeVisible();
    await expect(page).toHaveURL('/rules');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('n');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  await test.step('a database opens in Notion', async () => {
    const opening = page.context().waitForEvent('page');
    await choose(page, 'bug reports', /^Bug reports/);
    const notion = await opening;
    await notion.waitForURL((url) => url.origin !== new URL(page.url()).origin);
    await notion.close();
  });

  await test.step('the documentation is searched too', async () => {
    await page.keyboard.press('Control+k');
    await field(page).fill('zebra');
    await expect(palette(page).getByRole('status').filter({ hasText: 'Nothing found' })).toBeVisible();
    await inspect(page, 'palette nothing found');
    await field(page).fill('aggregation unlink nobody');
    await expect(palette(page).getByRole('option')).toHaveCount(0);
    await field(page).fill('no access');
    await expect(chosen(page)).toHaveText(/^A channel says No Access/);
    const shown = await palette(page).getByRole('option').count();
    await expect(palette(page).getByRole('status').filter({ hasText: 'result' })).toHaveText(
      shown === 1 ? '1 result' : `${shown} results`,
    );
    await inspect(page, 'palette documentation');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/docs/troubleshooting#no-access');
  });
});

test('names that differ only at their end are shown to their end', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  const name = 'Everything that moves on the sprint board of the whole engineering team, part';
  for (const part of [1, 2]) await createRule(page, { name: `${name} ${part}` });
  await open(page, '/');
  await page.keyboard.press('Control+k');
  await field(page).fill('whole engineering');
  const labels = palette(page).getByRole('option').locator('span:first-of-type');
  await expect(labels).toHaveCount(2);
  for (const label of await labels.all()) expect(await label.evaluate(isWhole)).toBe(true);
});

const isWhole = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element) =>
  scrollWidth <= clientWidth && scrollHeight <= clientHeight;

test('the palette opens as soon as a page shows', async ({ page, signIn }) => {
  await signIn('mira');
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('#content h1')) return;
      observer.disconnect();
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('/settings');
  await expect(field(page)).toBeFocused();
});

test.describe('what the palette does', () => {
  test.use({ expectedConsole: /Failed to load resource|Failed to refresh/ });

  test('makes rules, refreshes connections, changes the theme, shows the keys and logs out', async ({
    page,
    signIn,
  }) => {
    await signIn('mira');
    await open(page, '/');
    await page.keyboard.press('Control+k');
    const newRuleOption = palette(page).getByRole('option', { name: /^New Rule/ });
    await expect(newRuleOption).toHaveText(/Connect Discord and Notion first/);
    await expect(newRuleOption).toBeDisabled();
    await expect(palette(page).getByRole('option', { name: 'Refresh Discord' })).toBeHidden();

    await connectBoth(page);
    await open(page, '/');
    await choose(page, 'new rule', 'New Rule');
    await expect(newRule(page)).toBeVisible();
    await expect(page).toHaveURL('/rules');
    await page.keyboard.press('Escape');
    await expect(newRule(page)).toBeHidden();

    await choose(page, 'refresh disc', 'Refresh Discord');
    await expect(palette(page)).toContainText('Discord is up to date.');
    await page.route('**/api/app/notion/workspace/refresh', (route) =>
      route.fulfill({ status: 503, json: { error: 'Notion did not answer.', code: 'unavailable' } }),
    );
    await field(page).fill('refresh notion');
    await expect(chosen(page)).toHaveText('Refresh Notion');
    await page.keyboard.press('Enter');
    await expect(palette(page).getByRole('alert')).toHaveText('Notion did not answer.');
    await inspect(page, 'palette refresh failed');
    await page.keyboard.press('Escape');

    await choose(page, 'dark', 'Dark theme');
    await expect(page.locator('html')).toHaveClass(/dark/);
    await expect(palette(page)).toBeHidden();

    await choose(page, 'keys', 'Keyboard shortcuts');
    await expect(shortcuts(page)).toBeVisible();
    await page.keyboard.press('Escape');

    await choose(page, 'sign out', 'Logout');
    await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
  });
});

test('single keys act on the page, but not in fields, in dialogs, with modifiers or when switched off', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await open(page, '/activity');
  const search = page.getByRole('searchbox', { name: 'Search titles' });

  await test.step('/ goes to the search of the page, where letters are letters', async () => {
    await page.keyboard.press('/');
    await expect(search).toBeFocused();
    await page.keyboard.type('n?/');
    await expect(search).toHaveValue('n?/');
    await expect(page.getByRole('dialog')).toBeHidden();
    await search.fill('');
    await search.blur();
  });

  await test.step('j and k go through the rows', async () => {
    await editTask(control, 'Boss fight: ember golem', { Status: 'Done' });
    await editTask(control, 'Dodge window tuning', { Status: 'In progress' });
    const rows = page.getByRole('main').locator('[aria-expanded]');
    await expect(async () => {
      await page.reload();
      await expect(rows).toHaveCount(2, { timeout: 2000 });
    }).toPass();
    await page.keyboard.press('j');
    await expect(rows.first()).toBeFocused();
    await page.keyboard.press('j');
    await expect(rows.nth(1)).toBeFocused();
    await page.keyboard.press('j');
    await expect(rows.nth(1)).toBeFocused();
    await page.keyboard.press('k');
    await expect(rows.first()).toBeFocused();
  });

  await test.step('n opens the form from anywhere, also from Rules', async () => {
    await page.keyboard.press('Control+Alt+n');
    await page.keyboard.press('Shift+n');
    await page.keyboard.press('n');
    await expect(newRule(page)).toBeVisible();
    await expect(page).toHaveURL('/rules');
    await newRule(page).getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('?');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.keyboard.press('j');
    const rule = page.getByRole('listitem', { name: 'Sprint board to #tasks' });
    await expect(rule.getByRole('button', { name: 'Recent deliveries' })).toBeFocused();
    await page.keyboard.press('n');
    await expect(newRule(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(rule.getByRole('button', { name: 'Recent deliveries' })).toBeFocused();
  });

  await test.step('where the page has no search, / opens the palette', async () => {
    await open(page, '/settings');
    await page.keyboard.press('/');
    await expect(field(page)).toBeFocused();
    await page.keyboard.press('Escape');
  });

  await test.step('? shows them, and can switch them off', async () => {
    await page.keyboard.press('?');
    await expect(shortcuts(page)).toContainText('New rule');
    await inspect(page, 'keyboard shortcuts');
    await shortcuts(page).getByRole('switch', { name: 'Single keys' }).press('Space');
    await page.keyboard.press('Escape');
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('?');
    await page.keyboard.press('n');
    await page.keyboard.press('Control+k');
    await expect(field(page)).toBeFocused();
    await expect(page).toHaveURL('/settings');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await expect(shortcuts(page).getByRole('switch', { name: 'Single keys' })).not.toBeChecked();
  });

  await test.step('also where the browser keeps nothing', async () => {
    await page.evaluate(() => {
      window.localStorage.clear();
      Storage.prototype.setItem = () => {
        throw new DOMException('Full', 'QuotaExceededError');
      };
    });
    const single = shortcuts(page).getByRole('switch', { name: 'Single keys' });
    await single.press('Space');
    await single.press('Space');
    await expect(single).not.toBeChecked();
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.keyboard.press('Control+k');
    await expect(field(page)).toBeFocused();
    await expect(page).toHaveURL('/settings');
  });
});

test('on a phone, the palette and the keys are reached by touch', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn('mira');
  await open(page, '/');
  await page.getByRole('button', { name: 'Search' }).click();
  await palette(page).getByRole('option', { name: 'Billing' }).click();
  await expect(page).toHaveURL('/settings/billing');

  await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await menu.getByRole('button', { name: 'Search' }).click();
  await expect(field(page)).toBeFocused();
  await expect(menu).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused();

  await page.getByRole('button', { name: 'Open menu' }).click();
  await menu.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(shortcuts(page)).toBeVisible();
});

test.describe('offline', () => {
  test.use({ expectedConsole: /Failed to load resource|ERR_INTERNET_DISCONNECTED|Failed to fetch/ });

  test('the palette says so and leads nowhere', async ({ page, signIn, context }) => {
    await signIn('mira');
    await open(page, '/settings');
    await page.keyboard.press('Control+k');
    await expect(field(page)).toBeFocused();
    await context.setOffline(true);
    await expect(palette(page)).toContainText('You are offline. Pages open once you are back.');
    for (const name of ['Billing', 'Logout']) {
      await expect(palette(page).getByRole('option', { name })).toBeDisabled();
    }
    await context.setOffline(false);
    await expect(palette(page).getByRole('option', { name: 'Billing' })).toBeEnabled();
  });
});
