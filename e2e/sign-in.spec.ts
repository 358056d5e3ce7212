import { expect, test } from './fixtures';

test('a person signs in with Discord, is led to the setup, and signs out of both', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await expect(page).toHaveURL('/setup');
  await expect(page.getByText('mira@lanternworks.example')).toBeVisible();

  await page.goto('/logout');
  await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
  await page.getByRole('button', { name: 'Login with Discord' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in with Discord' })).toBeVisible();
});

test('whoever cancels at the identity provider reads why the login failed', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Login with Discord' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Authentication Failed')).toBeVisible();
});
