import { expect, test } from './fixtures';
import { holdCalls } from './journey';

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

  test('a logout is no failure of the call that it refuses', async ({ page, signIn }) => {
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
    // The page keeps working until the logout answers; after the refused call it tries to leave once more.
    let departures = 0;
    await page.route('**/logout', async (route) => {
      departures += 1;
      if (departures === 1) refuse();
      else await route.continue();
    });
    await logout.click({ noWaitAfter: true });
    await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
    expect(departures).toBe(2);
  });
});

test('whoever cancels at the identity provider reads why the login failed', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Login with Discord' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Authentication Failed')).toBeVisible();
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
