import { expect, test } from './fixtures';

test('whoever cancels at Discord comes back to the setup, reads why, and can try again', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await page.getByRole('button', { name: 'Add Bot to Discord Server' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();

  const banner = page.getByRole('alert').filter({ hasText: 'OAuth failed:' });
  await expect(banner).toBeVisible();
  await banner.getByRole('button', { name: 'Dismiss' }).click();
  await expect(banner).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add Bot to Discord Server' })).toBeEnabled();
});

test('the workspace can be connected only after the server', async ({ page, signIn }) => {
  await signIn('mira');
  await expect(page.getByRole('button', { name: 'Connect Notion Workspace' })).toBeDisabled();
  await expect(page.getByText('Complete Discord setup first')).toBeVisible();
  await page.getByRole('link', { name: 'Skip for now' }).click();
  await expect(page.getByText('Discord Server Not Connected')).toBeVisible();
});

test('a callback that nobody asked for is refused', async ({ page, signIn }) => {
  await signIn('mira');
  await page.goto('/api/discord/bot-install/callback?code=made-up&state=made-up');
  await expect(page).toHaveURL(/\/setup\?/);
  await expect(page.getByText('Invalid OAuth state. This may be a security issue.')).toBeVisible();
});
