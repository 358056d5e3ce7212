import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { alertOn, holdCalls } from './journey';
import { Network } from './network';
import { connectBoth } from './shortcuts';

test('whoever cancels at Discord comes back to the setup, reads why, and can try again', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await page.goto('/setup');
  await page.getByRole('button', { name: 'Add Bot to Discord Server' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await expect(page).toHaveURL(/\/setup\?error=oauth_failed&/);
  const banner = alertOn(page).filter({ hasText: 'OAuth failed:' });
  await expect(banner).toContainText('You pressed Cancel at Discord, so nothing was connected.');
  await banner.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByRole('main')).toBeFocused();
  await expect(banner).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add Bot to Discord Server' })).toBeEnabled();
});

test('the workspace can be connected only after the server', async ({ page, signIn }) => {
  await signIn('mira');
  await page.goto('/setup');
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

const MESSAGES = [
  ['error=oauth_failed&details=access_denied', 'OAuth failed: access_denied'],
  ['error=oauth_failed', 'OAuth failed: Unknown error'],
  ['error=missing_parameters', 'Missing required OAuth parameters. Please try again.'],
  ['error=invalid_state', 'Invalid OAuth state. This may be a security issue.'],
  ['error=token_exchange_failed', 'Failed to exchange OAuth token. Please try again.'],
  ['error=user_fetch_failed', 'Failed to fetch user information from Notion.'],
  ['error=internal_error', 'An internal error occurred. Please try again later.'],
  ['error=surprise', 'An unknown error occurred during setup.'],
] as const;

test('every error code has its sentence, in a banner that can be dismissed', async ({ page, signIn }) => {
  await signIn('mira');
  for (const [query, message] of MESSAGES) {
    await page.goto(`/setup?${query}`);
    await expect(alertOn(page).filter({ hasText: message })).toHaveText(message);
  }
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page).toHaveURL('/setup');
  await expect(page.getByText('An unknown error occurred during setup.')).toBeHidden();
});

test('the errors of the two services lead to their sentences', async ({ page, signIn, control }) => {
  await signIn('mira');
  await page.goto('/setup');
  const alert = alertOn(page);

  await test.step('Discord does not take the code', async () => {
    await control.fault({ target: 'discord', kind: 'fail', status: 503, match: 'oauth2/token', times: 0 });
    await page.getByRole('button', { name: 'Add Bot to Discord Server' }).click();
    await page.getByLabel('Add to server').selectOption('Lantern Works');
    await page.getByRole('button', { name: 'Authorize' }).click();
    await expect(alert).toHaveText('Failed to exchange OAuth token. Please try again.');
    await control.clearFaults();
  });

  await test.step('a return without a code', async () => {
    await page.goto('/api/discord/bot-install/callback?state=only');
    await expect(alert).toHaveText('Missing required OAuth parameters. Please try again.');
  });

  await page.getByRole('button', { name: 'Add Bot to Discord Server' }).click();
  await page.getByLabel('Add to server').selectOption('Lantern Works');
  await page.getByRole('button', { name: 'Authorize' }).click();
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();

  await test.step('Notion does not name its people', async () => {
    await control.fault({ target: 'notion', kind: 'fail', status: 503, match: 'GET /v1/users', times: 0 });
    await page.getByRole('button', { name: 'Connect Notion Workspace' }).click();
    await page.getByRole('button', { name: 'Allow access' }).click();
    await expect(alert).toHaveText('Failed to fetch user information from Notion.');
    await control.clearFaults();
  });

  await test.step('our own side fails', async () => {
    await control.breakColumn('audit_entry', 'action');
    await page.getByRole('button', { name: 'Connect Notion Workspace' }).click();
    await page.getByRole('button', { name: 'Allow access' }).click();
    await expect(alert).toHaveText('An internal error occurred. Please try again later.');
  });
});

test('both steps lead to the completion, which moves on by itself', async ({ page, signIn }) => {
  await signIn('mira');
  await page.goto('/setup');
  const steps = page.getByRole('list', { name: 'Setup steps' }).getByRole('listitem');
  const discord = page.getByRole('region', { name: 'Connect Discord Server' });
  const notion = page.getByRole('region', { name: 'Connect Notion Workspace' });
  await expect(steps.filter({ hasText: 'Discord' })).toHaveAttribute('aria-current', 'step');
  await expect(
    discord.getByText("You'll choose which server to add the bot to", { exact: true }),
  ).toBeVisible();
  await expect(notion.getByText('Complete Discord setup first', { exact: true })).toBeVisible();
  await expect(page.getByText('Logged in as mira@lanternworks.example')).toBeVisible();

  await page.getByRole('button', { name: 'Add Bot to Discord Server' }).click();
  await page.getByLabel('Add to server').selectOption('Lantern Works');
  await page.getByRole('button', { name: 'Authorize' }).click();
  await expect(page).toHaveURL('/setup?discord=connected');
  await expect(discord.getByText('Connected', { exact: true })).toBeVisible();
  await expect(discord.getByText('Connected to 1 server', { exact: true })).toBeVisible();
  await expect(discord.getByRole('listitem')).toHaveText('Lantern Works');
  await expect(steps.filter({ hasText: 'Notion' })).toHaveAttribute('aria-current', 'step');
  await expect(
    notion.getByText("You'll authorize access to your Notion workspace", { exact: true }),
  ).toBeVisible();

  await page.getByRole('button', { name: 'Connect Notion Workspace' }).click();
  await page.getByRole('button', { name: 'Allow access' }).click();
  await expect(page.getByRole('heading', { name: 'Setup Complete!' })).toBeVisible();
  await expect(page.getByText('Your workspace is ready to use', { exact: true })).toBeVisible();
  await expect(page.getByRole('listitem')).toHaveText([
    'Discord bot installed',
    'Notion workspace connected',
  ]);
  await expect(page.getByText('Redirecting to dashboard...', { exact: true })).toBeVisible();
  await expect(page).toHaveURL('/?setup=completed');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
});

test('a connection that fails while both exist says why, and the setup is left when that is dismissed', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/setup?error=oauth_failed&details=access_denied');
  await expect(alertOn(page).filter({ hasText: 'OAuth failed: access_denied' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Setup Complete!' })).toHaveCount(0);
  await inspect(page, 'setup failed again');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page).toHaveURL('/?setup=completed');
});

test('a workspace whose server is gone is still connected', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/discord');
  await page.getByRole('button', { name: 'Disconnect Server' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect Server' }).click();
  await expect(page.getByRole('heading', { name: 'No Discord Server Connected' })).toBeVisible();
  await page.goto('/setup');
  await expect(page.getByText('1 workspace connected', { exact: true })).toBeVisible();
});

test.describe('when something cannot be reached', () => {
  test.use({
    expectedConsole: /ERR_INTERNET_DISCONNECTED|Failed to fetch|500|401|Failed to (get|start|load)/,
  });

  test('the setup waits, says that its state is unknown, and can be looked at again', async ({
    page,
    signIn,
    control,
  }) => {
    await signIn('mira');
    await control.breakColumn('notion_workspace', 'connected_at');
    const answer = await holdCalls(page, '**/api/app/setup/status');
    await page.goto('/setup', { waitUntil: 'commit' });
    await expect(page.getByRole('status').filter({ hasText: 'Loading setup...' })).toBeVisible();
    answer();
    await expect(alertOn(page)).toContainText('Failed to load setup status');
    await expect(page.getByRole('button', { name: 'Add Bot to Discord Server' })).toHaveCount(0);
    await control.restoreColumns();
    const release = await holdCalls(page, '**/api/app/setup/status');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('button', { name: 'Trying...' })).toBeDisabled();
    release();
    await expect(page.getByText('Failed to load setup status')).toBeHidden();
    await expect(page.getByRole('main')).toBeFocused();
    await expect(page.getByRole('button', { name: 'Add Bot to Discord Server' })).toBeVisible();
  });

  test('a failed start of either connection frees its button', async ({ page, signIn, control }) => {
    await signIn('mira');
    await page.goto('/setup');
    const addBot = page.getByRole('button', { name: 'Add Bot to Discord Server' });
    const banner = alertOn(page);

    const logged = page.waitForEvent('console', (line) =>
      line.text().includes('Failed to get Discord installation URL'),
    );
    await control.breakColumn('oauth_state', 'return_to');
    await addBot.click();
    await logged;
    await expect(addBot).toBeEnabled();
    await expect(banner).toHaveText('Failed to start Discord connection');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await control.restoreColumns();

    const network = await Network.of(page);
    await network.cut();
    await addBot.click();
    await expect(banner).toHaveText('Failed to start Discord connection');
    await expect(addBot).toBeEnabled();
    await network.restore();
    await page.getByRole('button', { name: 'Dismiss' }).click();

    await addBot.click();
    await page.getByLabel('Add to server').selectOption('Lantern Works');
    await page.getByRole('button', { name: 'Authorize' }).click();
    await control.breakColumn('oauth_state', 'return_to');
    await page.getByRole('button', { name: 'Connect Notion Workspace' }).click();
    await expect(banner).toHaveText('Failed to start Notion connection');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(banner).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Connect Notion Workspace' })).toBeEnabled();
  });

  test('whoever is no longer logged in is asked to log in', async ({ page, signIn, control }) => {
    await control.setAccessTokenSeconds(1);
    await signIn('mira');
    await page.goto('/setup');
    await expect(page.getByRole('button', { name: 'Add Bot to Discord Server' })).toBeVisible();
    await control.revokeLogins();
    await expect(page.getByRole('heading', { name: 'Authentication Required' })).toBeVisible();
    await expect(alertOn(page)).toContainText('You need to be logged in to complete setup.');
    await page.getByRole('link', { name: 'Go back home' }).click();
    await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
  });
});
