import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { alertOn, holdCalls, loseAnswers, runCommand } from './journey';
import { Network } from './network';
import { connectBoth } from './shortcuts';

type OpenDiscord = (person: 'mira' | 'jonas' | 'vera') => Promise<Page>;

async function requestLink(openDiscord: OpenDiscord): Promise<void> {
  const discord = await openDiscord('jonas');
  await discord.getByRole('link', { name: /tasks/ }).click();
  await runCommand(discord, '/notion link-account');
  await expect(discord.getByText(/Your request is waiting/)).toBeVisible();
  await discord.close();
}

test('a request is made in Discord, approved here, and the link is taken back', async ({
  page,
  signIn,
  openDiscord,
}) => {
  await signIn('mira');
  await page.goto('/accounts');
  const pending = page.getByRole('region', { name: 'Pending Link Requests' });
  const linked = page.getByRole('region', { name: 'Linked Accounts' });

  await test.step('before anything is connected', async () => {
    await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
    await expect(
      page.getByText('Manage the Discord to Notion account connections for @mentions and task assignments.'),
    ).toBeVisible();
    await expect(pending.getByRole('heading', { name: 'No pending link requests' })).toBeVisible();
    await expect(
      pending.getByText('Users can request linking by running /notion link-account in Discord', {
        exact: true,
      }),
    ).toBeVisible();
    await expect(linked.getByRole('heading', { name: 'No linked accounts yet' })).toBeVisible();
  });

  await connectBoth(page);
  await page.goto('/accounts');

  await test.step('the installer cannot be unlinked, and reads why', async () => {
    await expect(linked.getByRole('columnheader')).toHaveText([
      'Discord User',
      'Notion User',
      'Linked',
      'Actions',
    ]);
    const own = linked.getByRole('row').filter({ hasText: 'Mira Castellan' });
    await expect(own.getByText('Workspace Installer', { exact: true })).toBeVisible();
    await expect(own.getByText('Just now', { exact: true })).toBeVisible();
    await expect(own).toContainText('@mira');
    await expect(own).toContainText('208917000000000101');
    expect(
      await own
        .locator('img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    ).toBeGreaterThan(0);
    await expect(own.getByRole('button', { name: 'Unlink' })).toBeDisabled();
    await own.getByRole('button', { name: 'Unlink' }).locator('..').focus();
    await expect(page.getByRole('tooltip')).toHaveText('Workspace installer cannot be unlinked');
    await page.keyboard.press('Escape');
  });

  await requestLink(openDiscord);

  await test.step('the request appears by itself, and needs somebody chosen', async () => {
    await expect(pending.getByRole('columnheader')).toHaveText([
      'Discord User',
      'Requested',
      'Notion User',
      'Actions',
    ]);
    await expect(page.getByRole('link', { name: 'Accounts', exact: true })).toHaveAccessibleDescription(
      '1 pending',
    );
    const request = pending.getByRole('row').filter({ hasText: '@jonas_b' });
    await expect(request).toContainText('Jonas Brandt');
    const choice = request.getByRole('combobox', { name: 'Notion user for @jonas_b' });
    expect((await choice.boundingBox())?.width).toBe(250);
    await choice.selectOption({ label: 'Jonas Brandt (jonas@lanternworks.example)' });
    const approve = request.getByRole('button', { name: 'Approve' });
    await expect(approve).toBeEnabled();
    await page.route('**/api/app/notion/workspace', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), users: [] } });
    });
    const lookAgain = () => page.evaluate(() => window.dispatchEvent(new Event('online')));
    await lookAgain();
    await expect(approve).toBeDisabled();
    await page.unroute('**/api/app/notion/workspace');
    await lookAgain();
    await expect(approve).toBeEnabled();
  });

  await test.step('whatever the window is wide, no button of a request is beside it', async () => {
    const before = page.viewportSize();
    for (const width of [768, 900, 1024, 1168]) {
      await page.setViewportSize({ width, height: 900 });
      const room = pending.boundingBox().then((box) => box && box.x + box.width);
      const end = pending.getByRole('button', { name: 'Reject' }).boundingBox();
      expect(await end.then((box) => box && box.x + box.width), `${width}`).toBeLessThan((await room) ?? 0);
    }
    if (before) await page.setViewportSize(before);
  });

  await test.step('approving takes a moment and says so', async () => {
    const release = await holdCalls(page, '**/api/app/account-links/approve/*');
    await pending.getByRole('button', { name: 'Approve' }).click();
    await expect(pending.getByRole('button', { name: 'Approving...' })).toBeDisabled();
    release();
    await expect(pending.getByRole('heading', { name: 'No pending link requests' })).toBeVisible();
    await expect(linked.getByRole('row').filter({ hasText: 'Jonas Brandt' })).toBeVisible();
  });

  await test.step('unlinking asks first', async () => {
    const release = await holdCalls(page, '**/api/app/account-links/link/*');
    await linked
      .getByRole('row')
      .filter({ hasText: 'Jonas Brandt' })
      .getByRole('button', { name: 'Unlink' })
      .click();
    const dialog = page.getByRole('alertdialog', { name: 'Unlink Account?' });
    await expect(dialog).toHaveAccessibleDescription(
      '@jonas_b and Jonas Brandt This will remove the connection between this Discord account and their Notion account. They will no longer receive @mentions or be able to use "Assign to me" until re-linked.',
    );
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Unlink Account' }).click();
    await expect(dialog.getByRole('button', { name: 'Unlinking..' })).toBeDisabled();
    release();
    await expect(dialog).toBeHidden();
    await expect(linked.getByRole('row').filter({ hasText: 'Jonas Brandt' })).toHaveCount(0);
  });
});

test('whoever has gone on while a decision is saved stays where they are', async ({
  page,
  signIn,
  openDiscord,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await requestLink(openDiscord);
  await page.goto('/accounts');
  await page.getByRole('combobox', { name: /^Notion user for/ }).selectOption({ index: 1 });
  const release = await holdCalls(page, '**/account-links/approve/*');
  await page.getByRole('button', { name: 'Approve' }).click();
  const elsewhere = page.getByRole('link', { name: 'Help', exact: true });
  await elsewhere.focus();
  release();
  await expect(page.getByRole('heading', { name: 'No pending link requests' })).toBeVisible();
  await expect(elsewhere).toBeFocused();
});

test('nobody is chosen beforehand, whatever name the requester has', async ({
  page,
  signIn,
  openDiscord,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await requestLink(openDiscord);
  await page.goto('/accounts');
  const request = page.getByRole('row').filter({ hasText: '@jonas_b' });
  const choice = request.getByRole('combobox');
  await expect(choice.getByRole('option', { name: /Jonas Brandt/ })).toBeAttached();
  await expect(choice.locator('option:checked')).toHaveText('Select Notion user...');
  await expect(request.getByRole('button', { name: 'Approve' })).toBeDisabled();
  await choice.selectOption({ index: 1 });
  await expect(request.getByRole('button', { name: 'Approve' })).toBeEnabled();
  await request.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByRole('heading', { name: 'No pending link requests' })).toBeVisible();
});

test('times are told in minutes, hours and days', async ({ page, signIn, control, openDiscord }) => {
  await signIn('mira');
  await connectBoth(page);
  await requestLink(openDiscord);
  const requested = page.getByRole('row').filter({ hasText: '@jonas_b' }).getByRole('time');
  for (const [minutes, text] of [
    [1, '1 minute ago'],
    [59, '59 minutes ago'],
    [60, '1 hour ago'],
    [23 * 60, '23 hours ago'],
    [24 * 60, '1 day ago'],
    [72 * 60, '3 days ago'],
  ] as const) {
    await control.ageRequests(minutes);
    await page.goto('/accounts');
    await expect(requested).toHaveText(text);
  }
});

test.describe('when a decision fails', () => {
  test.use({
    expectedConsole: /404|500|ERR_(INTERNET_DISCONNECTED|CONNECTION_RESET)|Failed to fetch/,
  });

  test('the banner says what the server says, else what failed', async ({
    page,
    signIn,
    control,
    openDiscord,
  }) => {
    await signIn('mira');
    await connectBoth(page);
    await requestLink(openDiscord);
    await page.goto('/accounts');
    const request = page.getByRole('row').filter({ hasText: '@jonas_b' });
    const banner = alertOn(page);
    const network = await Network.of(page);
    const approve = request.getByRole('button', { name: 'Approve' });
    const reject = request.getByRole('button', { name: 'Reject' });
    await request.getByRole('combobox').selectOption({ index: 1 });

    await control.breakColumn('audit_entry', 'action');
    await approve.click();
    await expect(banner).toHaveText('Failed to approve link request');
    await expect(request).toContainText('Failed to approve link request');
    await expect(request.getByRole('combobox')).not.toHaveValue('');
    await expect(approve).toBeFocused();
    await reject.click();
    await expect(banner).toHaveText('Failed to reject request');
    await expect(request).toContainText('Failed to reject request');
    await expect(reject).toBeFocused();
    await control.restoreColumns();

    const decision = '**/account-links/approve/*';
    await page.route(decision, (route) => route.fulfill({ status: 500, json: { error: 'Not today.' } }));
    await approve.click();
    await expect(banner).toHaveText('Not today.');
    await page.unroute(decision);
    await page.route(decision, (route) => route.fulfill({ status: 500, body: '' }));
    await approve.click();
    await expect(banner).toHaveText('Failed to approve link request');
    await page.unroute(decision);

    await network.cut();
    await approve.click();
    await expect(banner).toHaveText('Failed to approve request');
    await reject.click();
    await expect(banner).toHaveText('Failed to reject request');
    // Keep the list from being read again: the request would vanish before it can be approved.
    await page.route('**/api/app/account-links', () => {});
    await control.forgetRequests();
    await network.restore();
    await approve.click();
    await expect(banner).toHaveText('This link request was already decided.');
  });

  test('a decision whose answer was lost is not called failed once the lists show it', async ({
    page,
    signIn,
    openDiscord,
  }) => {
    await signIn('mira');
    await connectBoth(page);
    await requestLink(openDiscord);
    await page.goto('/accounts');
    const pending = page.getByRole('region', { name: 'Pending Link Requests' });
    const linked = page.getByRole('region', { name: 'Linked Accounts' });
    await loseAnswers(page, '**/account-links/*/*');
    await pending.getByRole('combobox').selectOption({ label: 'Jonas Brandt (jonas@lanternworks.example)' });
    await pending.getByRole('button', { name: 'Approve' }).click();
    const row = linked.getByRole('row').filter({ hasText: 'Jonas Brandt' });
    await expect(row).toBeVisible();
    await expect(pending.getByRole('heading', { name: 'No pending link requests' })).toBeVisible();
    await expect(alertOn(page)).toHaveCount(0);

    await row.getByRole('button', { name: 'Unlink' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink Account' }).click();
    await expect(row).toHaveCount(0);
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await expect(alertOn(page)).toHaveCount(0);

    await requestLink(openDiscord);
    await pending.getByRole('button', { name: 'Reject' }).click();
    await expect(pending.getByRole('heading', { name: 'No pending link requests' })).toBeVisible();
    await expect(alertOn(page)).toHaveCount(0);
  });

  test('a failed unlink says so in its dialog', async ({ page, signIn, control, openDiscord }) => {
    await signIn('mira');
    await connectBoth(page);
    await requestLink(openDiscord);
    await page.goto('/accounts');
    const choice = page.getByRole('combobox', { name: 'Notion user for @jonas_b' });
    await choice.selectOption({ label: 'Jonas Brandt (jonas@lanternworks.example)' });
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByText('No pending link requests')).toBeVisible();
    await control.breakColumn('audit_entry', 'action');
    await page
      .getByRole('row')
      .filter({ hasText: 'Jonas Brandt' })
      .getByRole('button', { name: 'Unlink' })
      .click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Unlink Account' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Failed to unlink account');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(alertOn(page)).toHaveText('Failed to unlink account');
  });
});
