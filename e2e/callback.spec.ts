import { expect, test } from './fixtures';
import { alertOn, holdCalls } from './journey';

test('the end of the login greets, checks the setup and moves on', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Login with Discord' }).click();
  await expect(page.getByRole('button', { name: 'Mira Castellan' })).toBeVisible();
  const [verify, check, goOn] = [
    await holdCalls(page, '**/api/auth/session'),
    await holdCalls(page, '**/api/app/setup/status'),
    await holdCalls(page, '**/setup?*'),
  ];
  await page.getByRole('button', { name: 'Mira Castellan' }).click();
  const status = page.getByRole('status');
  await expect(status.filter({ hasText: 'Completing Login' })).toContainText(
    'Verifying your Discord credentials...',
  );
  verify();
  await expect(page.getByRole('heading', { name: 'Login Successful' })).toBeVisible();
  await expect(page.getByText('Welcome, mira!', { exact: true })).toBeVisible();
  await expect(page.getByText('Checking setup status...', { exact: true })).toBeVisible();
  check();
  await expect(page.getByText('Taking you to the next step...', { exact: true })).toBeVisible();
  goOn();
  await expect(page).toHaveURL('/setup');
});

test('whoever cancels at the identity provider reads why the login failed', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Login with Discord' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { name: 'Authentication Failed' })).toBeVisible();
  await expect(alertOn(page)).toContainText('There was an error during login:');
  await expect(page.getByRole('link', { name: 'Get help in our support server' })).toHaveAttribute(
    'href',
    /^https?:/,
  );
  await page.goto(`/callback?error=Callback&error_description=${'unbroken'.repeat(20)}`);
  const reason = alertOn(page).getByText('unbroken');
  await expect(reason).toBeVisible();
  expect(await reason.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
});

test('a callback without a login says that it is incomplete', async ({ page }) => {
  await page.goto('/callback?mode=app');
  await expect(page.getByRole('heading', { name: 'Authentication Incomplete' })).toBeVisible();
  await expect(alertOn(page)).toContainText('The login process completed but authentication failed.');
  await expect(page.getByRole('link', { name: 'Get help in our support server' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to login' }).click();
  await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
});

test.describe('when the setup cannot be checked', () => {
  test.use({ expectedConsole: /500|Failed to load setup status|Failed to load app data/ });

  test('the person is sent home', async ({ page, control }) => {
    const logged = page.waitForEvent('console', (line) =>
      line.text().includes('Failed to load setup status'),
    );
    await control.breakColumn('notion_workspace', 'connected_at');
    await page.goto('/');
    await page.getByRole('button', { name: 'Login with Discord' }).click();
    await page.getByRole('button', { name: 'Mira Castellan' }).click();
    await expect(page.getByRole('heading', { name: /Welcome back/ })).toBeVisible();
    await expect(page).toHaveURL('/');
    expect((await logged).text()).toContain('API Error: 500');
  });
});
