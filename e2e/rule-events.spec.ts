import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { choose, chosen } from './journey';
import { connectBoth } from './shortcuts';

test('comments can be chosen once Notion shows them, and become cards', async ({
  page,
  signIn,
  openNotion,
  control,
}) => {
  const settings = (capabilities: string[]) =>
    control.call('notion', 'PATCH', '/_sandbox/notion/settings', { capabilities });
  const withoutComments = ['read_content', 'insert_content', 'update_content'];
  await settings(withoutComments);
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/rules');
  const dialog = page.getByRole('dialog', { name: 'Create Notification Rule' });
  const event = dialog.getByRole('combobox', { name: 'Event Type' });

  await test.step('without the capability the choice says what to do', async () => {
    await page.getByRole('button', { name: 'Create First Rule' }).click();
    await choose(page, 'Database', 'Sprint board');
    await expect(event.locator('option', { hasText: 'Comment Added' })).toBeDisabled();
    await expect(event).toHaveAccessibleDescription(/^Notion does not let Pagewire read comments\./);
    await inspect(page, 'rule dialog without comments');
    await page.keyboard.press('Escape');
    await settings([...withoutComments, 'read_comments']);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  });

  await test.step('with it, a comment is a card with its text', async () => {
    await control.lookForComments();
    await page.reload();
    await page.getByRole('button', { name: 'Create First Rule' }).click();
    await choose(page, 'Database', 'Sprint board');
    await choose(page, 'Event Type', 'Comment Added');
    await expect(chosen(page, 'Event Type')).toHaveText('Comment Added');
    await expect(event).toHaveAccessibleDescription('Each comment is a card with its text.');
    await choose(page, 'Channel', 'tasks');
    await expect(dialog.getByText('Shall we ship this on Friday?')).toHaveCount(2);
    await inspect(page, 'rule dialog comments');
    await dialog.getByRole('button', { name: 'Create Rule' }).click();
    const rule = page.getByRole('listitem', { name: 'Sprint board to #tasks' });
    await expect(rule).toContainText('new comments');
  });

  await test.step('a comment that is written in Notion arrives', async () => {
    const board = await openNotion('mira');
    await board.getByRole('link', { name: 'Sprint board' }).first().click();
    await board.getByRole('link', { name: 'Open Boss fight: ember golem' }).click({ force: true });
    await board.getByRole('textbox', { name: 'Add a comment' }).fill('Ship it, @Jonas Brandt');
    await board.getByRole('button', { name: 'Comment', exact: true }).click();
    await expect(board.getByRole('listitem').filter({ hasText: 'Ship it' })).toBeVisible();
    await board.close();
    await page.goto('/activity');
    await expect(page.getByText('Comment: Ship it, @Jonas Brandt')).toBeVisible();
  });
});
