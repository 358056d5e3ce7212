import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { alertOn, choose, holdCalls } from './journey';
import { Network } from './network';
import { connectBoth } from './shortcuts';

test('any path shows the login page, and the login leads home', async ({ page }) => {
  await page.goto('/rules?from=mail');
  await expect(page.getByRole('heading', { name: 'Pagewire', level: 1 })).toBeVisible();
  await expect(page.getByText('Connect your Discord and Notion', { exact: true })).toBeVisible();
  await expect(page.getByText('Sign in with Discord to get started', { exact: true })).toBeVisible();
  for (const benefit of [
    'Create Notion tasks from Discord',
    'Get notifications for updates',
    'Manage tasks with quick actions',
  ]) {
    await expect(page.getByRole('listitem').filter({ hasText: benefit })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Login with Discord' }).click();
  await page.getByRole('button', { name: 'Mira Castellan' }).click();
  await page.waitForURL('**/setup');
  await connectBoth(page);

  await page.goto('/logout');
  await page.goto('/rules?from=mail');
  await page.getByRole('button', { name: 'Login with Discord' }).click();
  await page.getByRole('button', { name: 'Mira Castellan' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: /^Welcome back/ })).toBeVisible();

  await test.step('the query string stays while moving about', async () => {
    await page.goto('/rules?from=mail');
    await page.getByRole('link', { name: 'Help', exact: true }).click();
    await expect(page).toHaveURL('/help?from=mail');
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a page says what it needs, and the documentation is there', async ({ page }) => {
    await page.goto('/rules');
    await expect(page.getByText('Loading application configuration...')).toBeHidden();
    await expect(page.getByText('Pagewire needs JavaScript, which is off in this browser.')).toBeVisible();
    await page.getByRole('link', { name: 'documentation' }).click();
    await expect(page.getByRole('heading', { name: 'Documentation', level: 1 })).toBeVisible();
  });
});

test('the start says what it is waiting for', async ({ page, signIn }) => {
  await signIn('mira');
  const [configure, authenticate, load] = [
    await holdCalls(page, '**/api/config'),
    await holdCalls(page, '**/api/auth/session'),
    await holdCalls(page, '**/api/app/me'),
  ];
  await page.goto('/help', { waitUntil: 'commit' });
  const status = page.getByRole('status');
  await expect(status.filter({ hasText: 'Loading application configuration...' })).toBeVisible();
  configure();
  await expect(status.filter({ hasText: 'Loading... Please wait' })).toBeVisible();
  authenticate();
  await expect(status.filter({ hasText: 'Loading your account' })).toBeAttached();
  const themes = page.getByRole('group', { name: 'Theme' });
  const { width } = (await themes.boundingBox()) ?? {};
  load();
  await expect(page.getByRole('heading', { name: 'Help & Support' })).toBeVisible();
  expect(await themes.boundingBox()).toMatchObject({ width });
});

test('while a page or a dialog is on its way, a line shows that the click was heard', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await page.goto('/help');
  const line = page.getByRole('progressbar', { name: 'Loading' });
  await page.route('**/discord?*', () => {});
  await page.getByRole('link', { name: 'Discord', exact: true }).click();
  await expect(line).toBeVisible();
  await page.unroute('**/discord?*');
  await page.getByRole('link', { name: 'Help', exact: true }).click();
  await expect(line).toBeHidden();

  const release = await holdCalls(page, '**/_next/static/chunks/**');
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(line).toBeVisible();
  release();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Billing', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Billing', level: 1 })).toBeVisible();
  await expect(line).toBeHidden();
});

test.describe('when the configuration does not arrive', () => {
  test.use({ expectedConsole: /ERR_BLOCKED|Failed to fetch|Failed to load application configuration/ });

  test('the start says so and can be tried again', async ({ page, signIn }) => {
    await signIn('mira');
    const network = await Network.of(page);
    await network.cutOnly('/api/config');
    await page.goto('/help');
    await expect(page.getByRole('heading', { name: 'Configuration Error' })).toBeVisible();
    await expect(alertOn(page)).toContainText('Failed to load application configuration');
    await network.restore();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { name: 'Help & Support' })).toBeVisible();
  });
});

test.describe('when a call of the start fails', () => {
  test.use({ expectedConsole: /50[02]|401|Failed to load app data/ });

  test('without the account itself the person is logged out', async ({ page, signIn, control }) => {
    await signIn('mira');
    const logged = page.waitForEvent('console', (line) => line.text().includes('Failed to load app data'));
    await control.breakColumn('usage_period', 'sent');
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await page.goto('/rules');
    await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
    await expect(page).toHaveURL('/?mode=app');
    expect((await logged).text()).toContain('API Error: 500');
    expect(calls.filter((path) => path === '/api/app/me')).toHaveLength(1);
  });

  test('a session that the identity provider has ended logs out', async ({ page, signIn, control }) => {
    await control.setAccessTokenSeconds(1);
    await signIn('mira');
    const logged = page.waitForEvent('console', (line) => line.text().includes('Failed to load app data'));
    await page.goto('/rules');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await control.revokeLogins();
    await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
    await expect(page).toHaveURL('/?mode=app');
    expect((await logged).text()).toContain('Unauthorized');
  });

  test('the other four are tolerated', async ({ page, signIn, control }) => {
    await signIn('mira');
    await connectBoth(page);
    await control.breakColumn('rule', 'watched_properties');
    await control.breakColumn('discord_server', 'channels');
    await control.breakColumn('notion_workspace', 'sealed_tokens');
    await control.breakColumn('link_request', 'created_at');
    await page.goto('/rules');
    await expect(page.getByRole('img', { name: 'Unknown of 10 rules used' })).toHaveText('–/10');
    await page.goto('/');
    for (const number of ['Task Databases unknown auto-detected', 'Discord Channels unknown available']) {
      await expect(page.getByRole('link', { name: number })).toBeVisible();
    }
    await inspect(page, 'home numbers unknown');
    for (const [path, failure, empty] of [
      ['/', 'Failed to load the Discord server', 'Discord Server Not Connected'],
      ['/', 'Failed to load the Notion workspace', 'Notion Workspace Not Connected'],
      ['/rules', 'Failed to load the rules', 'No rules yet'],
      ['/discord', 'Failed to load the Discord server', 'No Discord Server Connected'],
      ['/notion', 'Failed to load the Notion workspace', 'No Notion Workspace Connected'],
      ['/accounts', 'Failed to load the account links', 'No pending link requests'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const alert = alertOn(page).filter({ hasText: failure });
      await expect(alert.getByRole('button', { name: 'Try again' })).toBeVisible();
      await expect(page.getByText(empty)).toHaveCount(0);
    }
    await control.restoreColumns();
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await expect(page.getByRole('heading', { name: 'No pending link requests' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  });

  test('a restart of the server logs nobody out', async ({ page, signIn }) => {
    await signIn('mira');
    let failures = 0;
    await page.route('**/api/app/me', (route) => {
      failures += 1;
      return failures <= 2 ? route.fulfill({ status: 502, body: 'Bad gateway' }) : route.fallback();
    });
    await page.goto('/help');
    await expect(page.getByRole('heading', { name: 'Help & Support' })).toBeVisible();
    expect(failures).toBeGreaterThan(2);
  });
});

test.describe('where the clock is slow', () => {
  test.use({ expectedConsole: /401/ });

  test('a token that ends before the browser knows is renewed, and nobody is logged out', async ({
    page,
    signIn,
    control,
  }) => {
    await page.addInitScript(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() - 10 * 60_000;
    });
    await control.setAccessTokenSeconds(5);
    await signIn('mira');
    await page.goto('/help');
    const refused = await page.waitForResponse((answer) => answer.status() === 401);
    await page.waitForResponse((answer) => answer.url() === refused.url() && answer.ok());
    await expect(page.getByRole('heading', { name: 'Help & Support' })).toBeVisible();
    await expect(page).toHaveURL('/help');
  });
});

test.describe('when a part of the script does not arrive', () => {
  test.use({
    expectedConsole:
      /ERR_(INTERNET_DISCONNECTED|FAILED)|Failed to (fetch|load the documentation)|ChunkLoadError|did not arrive/,
  });

  test('the page stays, and the part follows once there is a connection', async ({ page, signIn }) => {
    await signIn('mira');
    await connectBoth(page);
    await page.goto('/rules');
    await page.getByRole('button', { name: 'New Rule' }).click();
    await choose(page, 'Database', 'Sprint board');
    await page.waitForLoadState('networkidle');
    const network = await Network.of(page);
    await network.cut();
    await page.keyboard.press('Escape');
    const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' });
    await question.getByRole('button', { name: 'Discard' }).click();

    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('link', { name: 'Help', exact: true }).click();
    await expect(page.getByText('Other pages cannot be opened until you are back.')).toBeVisible();
    await network.restore();
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  });

  test('texts of the documentation that do not come are no failure of the page, and are asked for again', async ({
    page,
  }) => {
    const failures: Error[] = [];
    page.on('pageerror', (error) => failures.push(error));
    const chunks = '**/_next/static/chunks/**';
    const search = page.getByRole('searchbox', { name: 'Search the documentation' });
    await page.goto('/docs');
    await page.route(chunks, (route) => route.abort());
    const logged = page.waitForEvent('console', (line) =>
      line.text().includes('Failed to load the documentation'),
    );
    await search.focus();
    await logged;
    expect(failures).toEqual([]);
    await search.fill('no access');
    const said = page
      .getByRole('status')
      .filter({ hasText: 'The search did not arrive. Reload the page to get it.' });
    await expect(said).toBeAttached();
    await page.unroute(chunks);
    await search.blur();
    await search.fill('no access');
    await expect(page.getByRole('link', { name: /^A channel says No Access/ })).toBeVisible();
  });

  test('a dialog that never comes says so, and the page stays', async ({ page, signIn }) => {
    await signIn('mira');
    await page.goto('/help');
    await expect(page.getByRole('heading', { name: 'Help & Support' })).toBeVisible();
    await page.route('**/_next/static/chunks/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await expect(alertOn(page)).toContainText(
      'This did not arrive, perhaps because there is a new version. Reload the page to get it.',
    );
    await inspect(page, 'dialog missing');
    await alertOn(page).getByRole('button', { name: 'Dismiss' }).click();
    await expect(alertOn(page)).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Help & Support' })).toBeVisible();
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.unroute('**/_next/static/chunks/**');
    await alertOn(page).getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  });

  test('a section of a form that never comes takes nothing with it', async ({ page, signIn }) => {
    await signIn('mira');
    await connectBoth(page);
    await page.goto('/rules');
    await page.getByRole('button', { name: 'New Rule' }).click();
    await choose(page, 'Database', 'Sprint board');
    await choose(page, 'Channel', 'tasks');
    await page.route('**/_next/static/chunks/**', (route) => route.abort());
    const dialog = page.getByRole('dialog', { name: 'Create Notification Rule' });
    await dialog.getByRole('button', { name: 'More' }).click();
    await expect(alertOn(page)).toContainText(
      'This did not arrive, perhaps because there is a new version. What you entered is still here: save it, then reload the page.',
    );
    await inspect(page, 'section missing');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
    await dialog.getByRole('button', { name: 'Create Rule' }).click();
    await expect(page.getByRole('listitem', { name: 'Sprint board to #tasks' })).toBeVisible();
  });
});

test.describe('when an answer cannot be shown', () => {
  test.use({ expectedConsole: /is not a function|A page failed to render/ });

  test('the page says so, and is loaded anew', async ({ page, signIn }) => {
    await signIn('mira');
    await page.route('**/api/app/rules', (route) => route.fulfill({ json: {} }));
    await page.goto('/rules');
    await expect(page.getByRole('heading', { name: 'This page failed' })).toBeVisible();
    await expect(alertOn(page)).toContainText('Try again to load the page anew.');
    await page.unroute('**/api/app/rules');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'Notification Rules' })).toBeVisible();
  });
});

test.describe('without a connection', () => {
  test.use({ expectedConsole: /ERR_INTERNET_DISCONNECTED|Failed to fetch/ });

  test('a banner says so, and no link leaves the page', async ({ page, signIn }) => {
    await signIn('mira');
    await page.goto('/help');
    await expect(page.getByRole('heading', { name: 'Help & Support' })).toBeVisible();
    const network = await Network.of(page);
    // Screen readers read out what changes in an element that they know.
    const known = await page.getByRole('main').getByRole('status').first().elementHandle();
    await network.cut();
    const banner = page.getByRole('status').filter({ hasText: 'You are offline' });
    await expect(banner).toBeVisible();
    expect(await banner.evaluate((now, before) => now === before, known)).toBe(true);
    await page.getByRole('link', { name: 'Rules', exact: true }).click();
    await expect(banner).toContainText('Other pages cannot be opened until you are back.');
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/help');
    await network.restore();
    await expect(banner).toHaveCount(0);
    await page.getByRole('link', { name: 'Rules', exact: true }).click();
    await expect(page).toHaveURL('/rules');
  });

  for (const { path, leaving } of [
    { path: '/setup', leaving: 'Skip for now' },
    { path: '/login', leaving: 'Login with Discord' },
    { path: '/docs', leaving: 'Open app' },
  ]) {
    test(`${path} says so too, and stays`, async ({ page, signIn }) => {
      if (path === '/setup') await signIn('mira');
      await page.goto(path);
      const way = page.getByText(leaving, { exact: true });
      await expect(way).toBeVisible();
      const network = await Network.of(page);
      await network.cut();
      const banner = page.getByRole('status').filter({ hasText: 'You are offline' });
      await expect(banner).toBeVisible();
      await inspect(page, `offline ${path.slice(1)}`);
      await way.click();
      await expect(banner).toContainText('Other pages cannot be opened until you are back.');
      await expect(way).toBeVisible();
      await network.restore();
      await expect(banner).toHaveCount(0);
    });
  }
});
