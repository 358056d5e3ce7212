import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { alertOn, choose, chosen, holdCalls } from './journey';
import { connectBoth, signIn } from './shortcuts';

test('a person signs in with Discord, is led to the setup, and signs out of both', async ({
  page,
  signInOnPages,
}) => {
  await signInOnPages('mira');
  await expect(page).toHaveURL('/setup');
  await expect(page.getByText('mira@lanternworks.example')).toBeVisible();

  await page.goto('/logout');
  await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
  await page.getByRole('button', { name: 'Login with Discord' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in with Discord' })).toBeVisible();
});

test.describe('while a call is under way', () => {
  test.use({ expectedConsole: /Failed to load resource/ });

  test('a call that is refused while the person logs out does not keep them from leaving', async ({
    page,
    signIn,
  }) => {
    await signIn('mira');
    await page.goto('/');
    const logout = page.getByRole('button', { name: 'Logout' });
    await expect(logout).toBeVisible();
    const refuse = await holdCalls(page, '**/api/app/rules', (route) =>
      route.fulfill({ status: 401, json: { error: 'Unauthorized' } }),
    );
    const asked = page.waitForRequest('**/api/app/rules');
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await asked;
    // An empty answer leaves the page where it is; after the refused call it tries to leave once more.
    let departures = 0;
    await page.route('**/logout', async (route) => {
      departures += 1;
      await (departures === 1 ? route.fulfill({ status: 204 }) : route.continue());
    });
    await logout.click({ noWaitAfter: true });
    await expect(page.getByText('Logging out...')).toBeVisible();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    refuse();
    await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
    expect(departures).toBe(2);
  });
});

test('whoever cancels at the identity provider reads why the login failed', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Login with Discord' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Authentication Failed')).toBeVisible();
  await expect(
    page.getByText('The sign-in was canceled or refused. User did not authorize the request'),
  ).toBeVisible();
});

const TROUBLES = [
  ['takes 20 seconds for it', { kind: 'slow', delayMs: 20_000 }],
  ['sends an answer without an end', { kind: 'flood' }],
] as const;
for (const [trouble, fault] of TROUBLES) {
  test(`whoever signs in while the provider ${trouble} reads that it failed, and can begin again`, async ({
    page,
    control,
  }) => {
    await control.fault({ target: 'identity', match: 'POST /oauth/token', times: 1, ...fault });
    await page.goto('/');
    await page.getByRole('button', { name: 'Login with Discord' }).click();
    await page.getByRole('button', { name: 'Mira Castellan' }).click();
    await expect(page.getByRole('heading', { name: 'Authentication Failed' })).toBeVisible();
    await expect(page.getByText('The sign-in service did not accept the answer.')).toBeVisible();
    // The provider still has the session of the person who signed in.
    await page.goto('/');
    await page.getByRole('button', { name: 'Login with Discord' }).click();
    await expect(page.getByText('mira@lanternworks.example')).toBeVisible();
  });
}

test.describe('while the keys are changed', () => {
  test.use({ expectedConsole: /503/ });

  test('a session whose key is not there is kept, and goes on when the key is', async ({
    page,
    signIn,
    control,
  }) => {
    await signIn('mira');
    await page.goto('/setup');
    await expect(page.getByText('mira@lanternworks.example')).toBeVisible();
    await control.toggleSessionKey();
    const refused = page.waitForResponse('**/api/auth/session');
    await page.reload();
    const answer = await refused;
    expect(answer.status()).toBe(503);
    expect(answer.headers()).toMatchObject({ 'retry-after': '5' });
    expect(answer.headers()).not.toHaveProperty('set-cookie');
    await control.toggleSessionKey();
    await expect(page.getByText('mira@lanternworks.example')).toBeVisible();
  });
});

/** What a browser does when its person comes back from another tab. */
const comeBack = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')));

test.describe('with two tabs', () => {
  test.use({ expectedConsole: /Unauthorized/ });

  test.beforeEach(async ({ page, signIn }) => {
    await signIn('mira');
    await page.goto('/settings');
    await expect(page.getByText('mira@lanternworks.example').first()).toBeVisible();
  });

  test('whoever signs out in one is signed out in the other', async ({ page, context }) => {
    const other = await context.newPage();
    await other.goto('/');
    await other.getByRole('button', { name: 'Logout' }).click();
    await expect(other.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
    await comeBack(page);
    await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
  });

  test('whoever signs in with another account in one finds it in the other', async ({
    page,
    browser,
    baseURL,
  }) => {
    const other = await browser.newContext({ baseURL });
    await signIn(await other.newPage(), 'jonas');
    await page.context().addCookies(await other.cookies());
    await other.close();
    await comeBack(page);
    await expect(page.getByText('jonas@lanternworks.example').first()).toBeVisible();
    await expect(page.getByText('mira@lanternworks.example')).toHaveCount(0);
  });
});

test.describe('when the session ends while a form has input', () => {
  test.use({ expectedConsole: /401|Unauthorized|Failed to (save|load)/ });

  const ENDED =
    'Your session has ended. What you entered is still here: sign in again in a new tab, then come back and save it.';
  const OTHER =
    'Somebody else is signed in in this browser now, so this cannot be saved. What you entered is still here: sign in as mira in a new tab, then come back and save it.';
  test.beforeEach(async ({ page, signIn, control }) => {
    await control.setAccessTokenSeconds(1);
    await signIn('mira');
    await connectBoth(page);
  });

  async function signInAnew(page: Page, link: string, name: string): Promise<void> {
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: link }).click();
    const tab = await opened;
    await tab.getByRole('button', { name: 'Login with Discord' }).click();
    await tab.getByRole('button', { name }).click();
    await expect(tab.getByRole('heading', { level: 1 })).toBeVisible();
    await tab.waitForURL((url) => ['/', '/setup'].includes(url.pathname));
    await tab.close();
    await comeBack(page);
  }

  test('the form stays, and saves once the person has signed in again in another tab', async ({
    page,
    control,
  }) => {
    await page.goto('/rules');
    await page.getByRole('button', { name: 'New Rule' }).click();
    await choose(page, 'Database', 'Sprint board');
    await choose(page, 'Channel', 'tasks');
    const dialog = page.getByRole('dialog', { name: 'Create Notification Rule' });
    await control.revokeLogins();
    await expect(dialog.getByRole('alert').filter({ hasText: ENDED })).toBeVisible();
    await inspect(page, 'session ended in a form');
    await dialog.getByRole('button', { name: 'Create Rule' }).click();
    await expect(dialog.getByText('Your session has ended. Sign in again.', { exact: true })).toBeVisible();
    await expect(chosen(page, 'Channel')).toContainText('tasks');

    await control.setAccessTokenSeconds(3600);
    await signInAnew(page, 'Sign in again', 'Mira Castellan');
    await expect(dialog.getByText(ENDED)).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Create Rule' }).click();
    await expect(page.getByRole('listitem', { name: 'Sprint board to #tasks' })).toBeVisible();
  });

  test('a save before the page has noticed leaves nobody at the sign-in page', async ({ page, control }) => {
    await page.goto('/rules');
    await page.getByRole('button', { name: 'New Rule' }).click();
    await choose(page, 'Database', 'Sprint board');
    await choose(page, 'Channel', 'tasks');
    await control.revokeLogins();
    await expect(page.getByText(ENDED)).toBeVisible();
    await control.setAccessTokenSeconds(3600);
    await signIn(page, 'mira');
    await page.getByRole('button', { name: 'Create Rule' }).click();
    await expect(page.getByRole('listitem', { name: 'Sprint board to #tasks' })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('somebody else who signs in there sees and saves nothing of it', async ({ page, control }) => {
    await page.goto('/settings');
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await zone.selectOption('Asia/Tokyo');
    await control.revokeLogins();
    await expect(alertOn(page)).toContainText(ENDED);
    await control.setAccessTokenSeconds(3600);
    await signInAnew(page, 'Sign in again', 'Jonas Brandt');
    await expect(alertOn(page)).toContainText(OTHER);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(
      page.getByText('Failed to save preferences. Somebody else is signed in in this browser now.'),
    ).toBeVisible();
    await expect(page.getByText('jonas')).toHaveCount(0);

    await test.step('until the first person is back, before the page has read everything again', async () => {
      const letThrough = await holdCalls(page, '**/api/app/rules');
      await signInAnew(page, 'Change account', 'Mira Castellan');
      await expect(page.getByText(OTHER)).toHaveCount(0);
      await expect(zone).toHaveValue('Asia/Tokyo');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Saved. What waits now follows it.')).toBeVisible();
      letThrough();
    });
  });

  test('a page without input becomes that of whoever signs in', async ({ page, browser, baseURL }) => {
    await page.goto('/settings');
    await expect(page.getByText('mira@lanternworks.example').first()).toBeVisible();
    const other = await browser.newContext({ baseURL });
    await signIn(await other.newPage(), 'jonas');
    await page.context().addCookies(await other.cookies());
    await other.close();
    await expect(page.getByText('jonas@lanternworks.example').first()).toBeVisible();
    await expect(page.getByText('mira@lanternworks.example')).toHaveCount(0);
    await expect(page).toHaveURL('/settings');
  });
});
