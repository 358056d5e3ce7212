import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { choose, connectBoth, createRule, runCommand, tick } from './journey';

const SCREENS = [
  ['/', 'home'],
  ['/rules', 'rules'],
  ['/discord', 'discord'],
  ['/notion', 'notion'],
  ['/accounts', 'accounts'],
  ['/settings', 'settings'],
  ['/settings/billing', 'billing'],
  ['/help', 'help'],
] as const;

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** Looks at what stands behind a button, and closes it again. */
async function inspectBehind(page: Page, button: string, state: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible();
  await inspect(page, state);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeHidden();
}

// Each test looks at its states in both themes and at both widths; the console must stay silent throughout.
test.describe.configure({ timeout: 400_000 });

test('the screens of whoever is signed out', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
  await inspect(page, 'login');
  for (const [path, state] of [
    ['/callback?mode=app', 'callback incomplete'],
    ['/callback?error=AccessDenied', 'callback failed'],
    ['/docs', 'docs'],
    ['/docs/getting-started', 'docs page'],
    ['/docs/features/commands', 'docs commands'],
  ] as const) {
    await open(page, path);
    await inspect(page, state);
  }
});

test('the screens before anything is connected', async ({ page, signIn }) => {
  await signIn('mira');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await inspect(page, 'setup');
  await open(page, '/setup?error=oauth_failed&details=access_denied');
  await inspect(page, 'setup error');
  for (const [path, state] of SCREENS) {
    await open(page, path);
    await inspect(page, `${state} unconnected`);
  }
  await open(page, '/nowhere');
  await inspect(page, 'not found');
});

test('the screens of a working account, its dialogs and menus', async ({ page, signIn, openDiscord }) => {
  await signIn('mira');
  await connectBoth(page);
  for (const [path, state] of SCREENS) {
    await open(page, path);
    await inspect(page, `${state} connected`);
  }

  await open(page, '/rules');
  await page.getByRole('button', { name: 'New Rule' }).click();
  await inspect(page, 'rule dialog new');
  await choose(page, 'Database', 'Sprint board');
  await choose(page, 'Event Type', 'Page Updated');
  await tick(page, 'Watched Properties', 'Status');
  await tick(page, 'Displayed Fields', 'Assignee');
  await inspect(page, 'rule dialog filled');
  await page.getByRole('button', { name: 'Displayed Fields' }).click();
  await inspect(page, 'rule dialog fields menu');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  await createRule(page);
  await inspect(page, 'rules one');
  await inspectBehind(page, 'Edit rule Sprint board to #tasks', 'rule dialog edit');
  await inspectBehind(page, 'Delete rule Sprint board to #tasks', 'rule delete');
  await open(page, '/discord');
  await inspectBehind(page, 'Disconnect Server', 'discord disconnect');
  await open(page, '/notion');
  await inspectBehind(page, 'Disconnect Workspace', 'notion disconnect');
  await open(page, '/settings');
  await inspectBehind(page, 'Unlink Account', 'settings unlink');
  await inspectBehind(page, 'Delete Account', 'settings delete');

  const discord = await openDiscord('jonas');
  await discord.getByRole('link', { name: /tasks/ }).click();
  await runCommand(discord, '/notion link-account');
  await open(page, '/accounts');
  await expect(page.getByText('@jonas_b')).toBeVisible();
  await inspect(page, 'accounts pending');
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('No pending link requests')).toBeVisible();
  await inspect(page, 'accounts linked');
  await page.getByRole('button', { name: 'Unlink' }).nth(1).click();
  await inspect(page, 'accounts unlink');
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark' });
  await inspect(page, 'menu');
});

test('the screens while the plan and the connections change', async ({
  page,
  signIn,
  control,
  openNotion,
}) => {
  const lookAt = async (state: string, screens: string[]) => {
    for (const [path, name] of SCREENS) {
      if (!screens.includes(name)) continue;
      await open(page, path);
      await inspect(page, `${name} ${state}`);
    }
  };
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await control.setSent(800);
  await lookAt('80 percent', ['home', 'billing']);
  await control.setSent(1000);
  await lookAt('100 percent', ['home', 'billing']);
  const notion = await openNotion('jonas');
  await notion.getByRole('link', { name: /Sprint board/ }).click();
  await notion.getByLabel('Status of Boss fight: ember golem').selectOption('Done');
  await open(page, '/rules');
  await expect(page.getByText(/Held/)).toBeVisible();
  await lookAt('held', ['rules']);

  await control.setSent(12);
  await control.passDays(7);
  await lookAt('7 days', ['home', 'billing']);
  await control.passDays(4);
  await lookAt('3 days', ['home', 'billing']);
  await control.passDays(4);
  await lookAt('trial over', ['home', 'billing']);

  await open(page, '/settings/billing');
  await page.getByRole('button', { name: 'Upgrade Now' }).click();
  await page.getByLabel(/0341/).check();
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  await lookAt('active', ['home', 'billing']);
  await page.getByRole('button', { name: 'Manage Billing' }).click();
  await page.getByRole('button', { name: 'Cancel at period end' }).click();
  await page.getByRole('link', { name: 'Return to Pagewire' }).click();
  await expect(page.getByText('Ends', { exact: true })).toBeVisible();
  await lookAt('cancelling', ['billing']);
  await page.getByRole('button', { name: 'Manage Billing' }).click();
  await page.getByRole('button', { name: 'Keep subscription' }).click();
  await page.getByRole('link', { name: 'Return to Pagewire' }).click();
  await expect(page.getByText('Renews', { exact: true })).toBeVisible();
  await control.passDays(31);
  await control.call('stripe', 'GET', '/_sandbox/stripe/subscriptions');
  await expect(async () => {
    await open(page, '/settings/billing');
    await expect(page.getByText('Past Due', { exact: true })).toBeVisible({ timeout: 1000 });
  }).toPass();
  await lookAt('past due', ['home', 'billing']);
  await page.getByRole('button', { name: 'Manage Billing' }).click();
  await page.getByRole('button', { name: 'Cancel now' }).click();
  await page.getByRole('link', { name: 'Return to Pagewire' }).click();
  await expect(page.getByText('Canceled', { exact: true })).toBeVisible();
  await lookAt('canceled', ['home', 'billing']);

  await control.loseConnections();
  await lookAt('connection lost', ['home', 'discord', 'notion', 'rules']);
});
