import { expect, test } from './fixtures';
import { findViolations } from './inspect';
import { choose, denyPosting, editTask, tick } from './journey';
import { connectBoth, createRule } from './shortcuts';

const TITLE = 'Boss fight: ember golem';

test('a channel that refuses cards is told, fixed and checked, and the failed card arrives once', async ({
  page,
  signIn,
  control,
  openDiscord,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  const rule = page.getByRole('listitem', { name: 'Sprint board to #tasks' });
  await expect(rule).toContainText('Ready · nothing delivered yet');
  // The page checks the server by itself; repeat the first answer, so that only the person's check sees the change.
  const server = await page.waitForResponse('**/api/app/discord/server');
  const seen = await server.text();
  await page.route('**/api/app/discord/server', (route) =>
    route.fulfill({ body: seen, contentType: 'application/json' }),
  );

  await denyPosting(control, true);
  await editTask(control, TITLE, { Status: 'Done' });
  await expect(rule).toContainText('Cannot post');
  const trouble = page.getByRole('list', { name: 'What needs attention' });
  await expect(trouble).toContainText('Cannot post in #tasks');
  await expect(trouble).toContainText('Send Messages is denied for the bot itself in this channel.');
  await expect(trouble).toContainText('This stops 1 rule.');
  await expect(trouble).toContainText(
    'In Discord, open the settings of #tasks, then Permissions, and allow Send Messages for the bot.',
  );

  await test.step('the list says why, also on Home', async () => {
    await rule.getByRole('button', { name: 'Recent deliveries' }).click();
    const sheet = page.getByRole('dialog', { name: 'Sprint board → #tasks' });
    await expect(sheet.getByRole('listitem').getByText('Failed')).toBeVisible();
    await expect(sheet.getByRole('link', { name: TITLE, exact: true })).toBeVisible();
    await expect(sheet).toContainText('Status: In progress → Done');
    await expect(sheet).toContainText('The bot may not send messages in the channel.');
    expect(await findViolations(page)).toEqual([]);
    await sheet.getByRole('button', { name: 'Posted', exact: true }).click();
    await expect(sheet).toContainText('Nothing posted yet');
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expect(rule.getByRole('button', { name: 'Recent deliveries' })).toBeFocused();
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('link', { name: 'Your rule cannot post' })).toBeVisible();
    await expect(trouble).toContainText('Cannot post in #tasks');
    await trouble.getByRole('button', { name: 'Check again' }).click();
    await expect(trouble).toContainText('Checked just now: nothing has changed yet.');
    await page.getByRole('link', { name: 'Your rule cannot post' }).click();
    // Home has the same button, so wait for the Rules page.
    await expect(page.getByRole('heading', { name: 'Notification Rules', level: 1 })).toBeVisible();
  });

  await test.step('a card that fails again at once can be sent once more', async () => {
    await rule.getByRole('button', { name: 'Recent deliveries' }).click();
    const sheet = page.getByRole('dialog', { name: 'Sprint board → #tasks' });
    await page.route('**/resend', (route) => route.fulfill({ json: {} }));
    const resend = sheet.getByRole('button', { name: /^Resend/ });
    const answered = page.waitForResponse('**/resend');
    await resend.click();
    await answered;
    await expect(resend).toBeEnabled();
    await expect(sheet.getByRole('alert')).toHaveCount(0);
    await page.unroute('**/resend');
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
  });

  await test.step('a check before fixing changes nothing', async () => {
    await trouble.getByRole('button', { name: 'Check again' }).click();
    await expect(trouble).toContainText('Checked just now: nothing has changed yet.');
  });

  await test.step('a check after fixing opens the channel', async () => {
    await denyPosting(control, false);
    await trouble.getByRole('button', { name: 'Check again' }).click();
    await expect(trouble).toBeHidden();
    await expect(page.getByRole('main')).toBeFocused();
    await expect(rule).not.toContainText('Cannot post');
  });

  await test.step('the failed card is sent again, and arrives once', async () => {
    await rule.getByRole('button', { name: 'Recent deliveries' }).click();
    const sheet = page.getByRole('dialog', { name: 'Sprint board → #tasks' });
    await sheet.getByRole('button', { name: /^Resend/ }).click();
    await expect(sheet.getByRole('listitem').getByText('Posted')).toBeVisible();
    await expect(sheet.getByRole('button', { name: /^Resend/ })).toHaveCount(0);
    await expect(sheet.getByRole('link', { name: /^Open in Discord/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(rule).toContainText(/Posting · delivered/);
  });

  const discord = await openDiscord('mira');
  await discord.getByRole('link', { name: /tasks/ }).click();
  await expect(discord.getByRole('article').filter({ hasText: TITLE })).toHaveCount(1);
});

test('a draft is previewed with a real page and tested in its channel, without counting', async ({
  page,
  signIn,
  openDiscord,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/rules');
  await page.getByRole('button', { name: 'New Rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Notification Rule' });
  await choose(page, 'Database', 'Sprint board');
  await choose(page, 'Channel', 'tasks');
  await dialog.getByLabel('Post at once').check();
  await choose(page, 'Event Type', 'Page Updated');
  await expect(dialog.getByLabel('Post at once')).toBeHidden();

  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(
    dialog.getByText('Please select at least one property to watch for page_updated events'),
  ).toBeVisible();
  await tick(page, 'Watched Properties', 'Status');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(
    dialog.getByRole('status').filter({ hasText: 'The page and its values are real.' }),
  ).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText(/Status: .+ → .+Updated by/);
  expect(await findViolations(page)).toEqual([]);

  await dialog.getByRole('button', { name: 'Send test' }).click();
  await expect(dialog.getByText('The test is in #tasks. It does not count.')).toBeVisible();
  const discord = await openDiscord('mira');
  await discord.getByRole('link', { name: /tasks/ }).click();
  await expect(discord.getByText('Test of the rule Sprint board → #tasks. It does not count.')).toBeVisible();
  await page.goto('/');
  await expect(page.getByText('0 / 1,000')).toBeVisible();
});

test('a rule whose property was deleted in Notion is repaired', async ({ page, signIn, control }) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  await page.getByRole('button', { name: 'Edit rule Sprint board to #tasks' }).click();
  await tick(page, 'Displayed Fields', 'Priority');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  const rule = page.getByRole('listitem', { name: 'Sprint board to #tasks' });

  const edit = { action: 'delete property', property: 'Priority' };
  await control.call('notion', 'POST', '/_sandbox/notion/databases/schema', {
    database: 'Sprint board',
    edit,
  });
  const problem = 'The displayed field "Priority" was deleted in Notion: cards leave it out.';
  await expect(page.getByText(problem)).toBeVisible();
  await page.getByRole('button', { name: 'Repair', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Notification Rule' });
  await expect(dialog).toContainText(problem);
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(rule).toContainText('Ready · nothing delivered yet');
});
