import type { Route } from '@playwright/test';
import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { alertOn, editTask } from './journey';
import { connectBoth, createRule } from './shortcuts';

const ALL_RULES = 10;

test.beforeEach(async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
});

test('each lost connection is told once, in the same words on Home and Rules', async ({ page, control }) => {
  await control.loseConnections();
  for (const path of ['/', '/rules']) {
    await page.goto(path);
    const lost = page.getByRole('note').filter({ hasText: 'Connection lost' });
    await expect(lost).toHaveCount(2);
    for (const [index, service, href] of [
      [0, 'Discord', '/discord'],
      [1, 'Notion', '/notion'],
    ] as const) {
      const banner = lost.nth(index);
      await expect(banner).toContainText('This stops 1 rule.');
      await expect(banner.getByRole('button', { name: 'Check again' })).toBeVisible();
      await expect(banner.getByRole('link', { name: `Reconnect ${service}` })).toHaveAttribute('href', href);
    }
    await inspect(page, `both connections lost ${path === '/' ? 'home' : 'rules'}`);
  }
  await page.goto('/discord');
  await expect(page.getByText('No Access').first()).toBeVisible();
  await expect(page.getByText('The bot is no longer in this server.')).toHaveCount(1);
});

test('when the trial is over, Rules says why cards are held', async ({ page, control }) => {
  await control.endTrial();
  await page.goto('/rules');
  const reason = page.getByRole('note').filter({ hasText: 'Cards are held' });
  await expect(reason).toContainText('The trial has ended. Posting resumes with a subscription.');
  await inspect(page, 'rules held');
  await reason.getByRole('link', { name: 'Open Billing' }).click();
  await expect(page).toHaveURL('/settings/billing');
});

test('with all rules in use, no other can be created, and a search in Activity does not filter the list of rules', async ({
  page,
}) => {
  for (let made = 1; made < ALL_RULES; made += 1) await createRule(page);
  await page.goto('/');
  const create = page.getByRole('button', { name: 'Create Rule' });
  await expect(create).toBeDisabled();
  await expect(create).toContainText('All 10 rules of your plan are in use');
  await inspect(page, 'home all rules in use');
  await page.keyboard.press('n');
  await expect(page).toHaveURL('/rules');
  await expect(page.getByRole('note').filter({ hasText: 'All rules of your plan are in use' })).toBeVisible();

  await page.goto('/activity?text=Boss+fight');
  await page.getByRole('combobox', { name: 'Rule' }).selectOption({ index: 1 });
  await expect(page).toHaveURL(/rule=/);
  await page.getByRole('complementary').getByRole('link', { name: 'Rules', exact: true }).click();
  await expect(page).toHaveURL(/\/rules\?text=Boss/);
  await expect(page.getByRole('list', { name: 'Rules' }).getByRole('listitem')).toHaveCount(ALL_RULES);
  await expect(page.getByRole('dialog')).toBeHidden();
});

test.describe('while nothing can be read', () => {
  test.use({
    expectedConsole: /Failed to load (resource|billing data|setup status|application configuration)/,
  });

  test('an empty Activity does not offer the first rule while the rules cannot be read', async ({ page }) => {
    await page.route('**/api/app/rules', (route) => route.fulfill({ status: 500, json: { error: 'no' } }));
    await page.goto('/activity');
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to load the rules' });
    await expect(failure).toBeVisible();
    await expect(page.getByText('Nothing has happened yet')).toHaveCount(0);
    await inspect(page, 'activity rules unknown');
    await page.unroute('**/api/app/rules');
    await failure.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('main')).toBeFocused();
    await expect(page.getByText(/^Change a page in a database that a rule watches/)).toBeVisible();
    await expect(page.getByText('Create First Rule')).toHaveCount(0);
  });

  test("a captive portal's page is no answer", async ({ page }) => {
    const portal = (route: Route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Sign in to this network</h1>' });
    for (const [path, call, failure] of [
      ['/rules', '**/api/app/rules', 'Failed to load the rules'],
      ['/discord', '**/api/app/discord/server', 'Failed to load the Discord server'],
      ['/notion', '**/api/app/notion/workspace', 'Failed to load the Notion workspace'],
      ['/accounts', '**/api/app/account-links', 'Failed to load the account links'],
      ['/settings/billing', '**/api/app/billing', 'Failed to load billing data'],
      ['/setup', '**/api/app/setup/status', 'Failed to load setup status'],
      ['/', '**/api/config', 'Failed to load application configuration'],
    ] as const) {
      await page.route(call, portal);
      await page.goto(path);
      await expect(alertOn(page)).toContainText(failure);
      await page.unroute(call);
    }
    await page.route('**/api/auth/session', portal, { times: 1 });
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { name: /^Welcome back/ })).toBeVisible();
  });

  test('what is shown is marked as old until it can be read again', async ({ page }) => {
    for (const path of ['/rules', '/']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const note = page.getByRole('status').filter({ hasText: 'The newest state could not be read.' });
      await expect(note).toHaveCount(0);
      await page.route('**/api/app/**', (route) => route.fulfill({ status: 500, json: { error: 'no' } }));
      await expect(note).toBeVisible();
      await inspect(page, `old ${path === '/' ? 'home' : 'rules'}`);
      await page.unroute('**/api/app/**');
      await expect(note).toHaveCount(0);
    }
  });

  test('older deliveries of a rule can be asked for again after they could not be read', async ({
    page,
    control,
  }) => {
    await editTask(control, 'Boss fight: ember golem', { Status: 'Done' });
    // The newest page says that there are older ones.
    let isFailing = true;
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/api/app/rules/*/deliveries?*', async (route) => {
      const isOlder = route.request().url().includes('before=');
      if (isOlder && isFailing) return route.fulfill({ status: 500, json: { error: 'no' } });
      if (isOlder) await held;
      if (isOlder) return route.fulfill({ json: { deliveries: [], nextCursor: null } });
      const answer = await route.fetch({ maxRetries: 2 });
      return route.fulfill({ json: { ...(await answer.json()), nextCursor: 'older' } });
    });
    await page.goto('/rules');
    await page.getByRole('button', { name: /^Recent deliveries of/ }).click();
    const more = page.getByRole('button', { name: 'Load more' });
    await more.click();
    await expect(
      page.getByRole('alert').filter({ hasText: 'Older entries could not be loaded.' }),
    ).toBeVisible();
    await expect(more).toBeEnabled();
    await inspect(page, 'deliveries further failed');

    isFailing = false;
    await more.press('Enter');
    await expect(page.getByRole('button', { name: 'Loading...' })).toBeVisible();
    goOn();
    await expect(page.getByText('That is all.')).toBeFocused();
    await expect(page.getByRole('status').filter({ hasText: '1 entry' })).toHaveCount(1);
  });
});
