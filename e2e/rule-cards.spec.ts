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
