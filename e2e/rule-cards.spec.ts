import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { connectBoth, createRule } from './shortcuts';

test('a rule keeps one card for each page, chosen by keyboard, and says so', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  const dialog = page.getByRole('dialog', { name: 'Edit Notification Rule' });
  await page.getByRole('button', { name: 'Edit rule Sprint board to #tasks' }).press('Enter');
  const more = dialog.getByRole('button', { name: 'More', exact: true });
  await more.press('Enter');
  const cards = dialog.getByRole('combobox', { name: 'Cards' });
  await cards.focus();
  await page.keyboard.type('One for each page, with a');
  await expect(cards).toHaveValue('living');
  await expect(more).toHaveAccessibleDescription(/One card for each page, with a thread\./);
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('Thread:');
  await cards.scrollIntoViewIfNeeded();
  await inspect(page, 'rule dialog with one card for each page');
  await dialog.getByRole('button', { name: 'Save Changes' }).press('Enter');
  await expect(page.getByText('one card for each page, with a thread')).toBeVisible();
});

test('the buttons of a card are chosen in the rule, four at most, and shown in its preview', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  const dialog = page.getByRole('dialog', { name: 'Edit Notification Rule' });
  const edit = page.getByRole('button', { name: 'Edit rule Sprint board to #tasks' });
  await edit.press('Enter');
  await dialog.getByRole('button', { name: 'More', exact: true }).press('Enter');
  const buttons = dialog.getByRole('button', { name: /^Buttons/ });
  await expect(buttons).toHaveText('Assign to meChange status');
  await buttons.click();
  const list = dialog.getByRole('group', { name: 'Buttons' });
  for (const name of ['Assign to me', 'Mark as done', 'Set Priority', 'Comment']) {
    await list.getByRole('checkbox', { name, exact: true }).click();
  }
  await expect(list.getByRole('checkbox', { checked: true })).toHaveCount(4);
  await expect(list.getByRole('checkbox', { name: 'Set Estimate', exact: true })).toBeDisabled();
  await page.keyboard.press('Escape');
  const preview = dialog.getByRole('region', { name: 'Preview' });
  for (const name of ['Change status', 'Mark as done', 'Set Priority', 'Comment']) {
    await expect(preview.getByText(name, { exact: true })).toBeVisible();
  }
  await expect(preview.getByText('Assign to me')).toHaveCount(0);
  await buttons.scrollIntoViewIfNeeded();
  await inspect(page, 'rule dialog with chosen buttons');
  await dialog.getByRole('button', { name: 'Save Changes' }).press('Enter');
  await expect(dialog).toBeHidden();
  await edit.press('Enter');
  await dialog.getByRole('button', { name: 'More', exact: true }).press('Enter');
  await expect(buttons).toHaveText('Change statusMark as doneCommentSet Priority');
});
