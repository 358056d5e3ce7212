import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { connectBoth, createRule } from './shortcuts';

const MANY = 14;

test('a rule posts one line and counts a flood, set without a mouse', async ({
  page,
  signIn,
  control,
  openDiscord,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page, { eventType: 'page_created', watchedProperties: [], atOnce: true });
  await page.goto('/rules');
  const rule = page.getByRole('listitem', { name: 'Sprint board to #tasks' });
  const dialog = page.getByRole('dialog', { name: 'Edit Notification Rule' });
  const preview = dialog.getByRole('region', { name: 'Preview' });
  const more = dialog.getByRole('button', { name: 'More', exact: true });
  const edit = page.getByRole('button', { name: 'Edit rule Sprint board to #tasks' });

  await test.step('one line', async () => {
    await edit.press('Enter');
    await expect(preview).toContainText('Assign to me');
    await more.press('Enter');
    await dialog.getByRole('combobox', { name: 'Size' }).focus();
    await page.keyboard.type('One');
    await expect(preview).toContainText('created A new page');
    await expect(preview).not.toContainText('Assign to me');
    await dialog.getByRole('checkbox', { name: 'Count cards that come in a flood' }).press('Space');
    await expect(more).toHaveAccessibleDescription(
      'No name: what the rule does stands for it. One line for each event. A flood becomes one card that counts.',
    );
    await more.scrollIntoViewIfNeeded();
    await inspect(page, 'rule dialog size and floods');
    await dialog.getByRole('button', { name: 'Preview' }).press('Enter');
    await expect(preview).toContainText('For the page that was edited last, with its real values.');
    await expect(preview).not.toContainText('Pagewire · Sprint board');
    await dialog.getByRole('button', { name: 'Save Changes' }).press('Enter');
    await expect(dialog).toBeHidden();
  });

  const discord = await openDiscord('jonas');
  await discord.getByRole('link', { name: /tasks/ }).click();
  await control.call('notion', 'POST', '/_sandbox/notion/flood', {
    database: 'Sprint board',
    kind: 'create',
    count: MANY,
  });

  await test.step('the flood is ten lines and a number, with a private list', async () => {
    const counter = discord.getByRole('article').filter({ hasText: 'more from Sprint board: new pages' });
    await expect(counter).toContainText(`and ${MANY - 10} more from`);
    await expect(discord.getByRole('article').filter({ hasText: 'created Flood' })).toHaveCount(10);
    await counter.getByRole('button', { name: 'Show them' }).click();
    const list = discord.getByRole('article').filter({ hasText: 'Only you can see this' });
    await expect(list).toContainText(`${MANY - 10} events in one card`);
    await expect(list.getByRole('link', { name: /^Flood \d+$/ })).toHaveCount(MANY - 10);
  });

  await test.step('the log says which of them the number stands for', async () => {
    await rule.getByRole('button', { name: 'Recent deliveries' }).click();
    const sheet = page.getByRole('dialog', { name: 'Sprint board → #tasks' });
    await expect(sheet.getByText('One card counts the rest')).toHaveCount(MANY - 10);
    await inspect(page, 'log of a flood');
  });
});
