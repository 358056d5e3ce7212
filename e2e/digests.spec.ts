import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { connectBoth, createRule } from './shortcuts';

test('a rule posts a digest on workdays, and nights are quiet, without a mouse', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  const dialog = page.getByRole('dialog', { name: 'Edit Notification Rule' });
  const more = dialog.getByRole('button', { name: 'More', exact: true });
  const preview = dialog.getByRole('region', { name: 'Preview' });
  const edit = page.getByRole('button', { name: 'Edit rule Sprint board to #tasks' });

  await test.step('a digest', async () => {
    await edit.press('Enter');
    await more.press('Enter');
    const urgent = dialog.getByRole('checkbox', { name: 'Also in quiet hours' });
    await urgent.press('Space');
    await expect(more).toHaveAccessibleDescription(/Posts in quiet hours too\.$/);
    const posts = dialog.getByRole('combobox', { name: 'Posts', exact: true });
    await posts.focus();
    await page.keyboard.type('A digest each working');
    await expect(posts).toHaveValue('workday');
    await expect(urgent).toHaveCount(0);
    await expect(more).toHaveAccessibleDescription(/Posts a digest each workday at 09:00\.$/);
    await expect(dialog.getByLabel('Time', { exact: true })).toHaveAccessibleDescription(
      /^In .+, the time zone of the settings\.$/,
    );
    await expect(preview).toContainText('3 changed pages in Sprint board');
    const name = dialog.getByLabel('Name', { exact: true });
    await name.fill('שלום');
    await expect(preview).toContainText('Pagewire · \u2068שלום\u2069 · digest each workday');
    await name.clear();
    await more.scrollIntoViewIfNeeded();
    await inspect(page, 'rule dialog digest');
    await preview.getByRole('button', { name: 'Preview' }).press('Enter');
    await expect(preview).toContainText(/changed pages? in Sprint board/);
    await expect(preview).toContainText('digest each workday at 09:00');
    await dialog.getByRole('button', { name: 'Save Changes' }).press('Enter');
  });
  const row = page.getByRole('listitem').filter({ hasText: 'Sprint board' }).first();
  await expect(row).toContainText('Status changes, as a digest each workday at 09:00');

  await test.step('quiet hours', async () => {
    await page.goto('/settings');
    const card = page.getByRole('region', { name: 'Time and Quiet Hours' });
    const zone = card.getByRole('combobox', { name: 'Time zone' });
    const known = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);
    await expect(zone).toHaveValue(known);
    const quiet = card.getByRole('checkbox', { name: 'Quiet hours' });
    await quiet.press('Space');
    await expect(quiet).toHaveAccessibleDescription('From 22:00 until 07:00 on the next day, every day.');
    const until = card.getByLabel('Until', { exact: true });
    await until.fill('22:00');
    await card.getByRole('button', { name: 'Save' }).press('Enter');
    await expect(until).toBeFocused();
    await expect(until).toHaveAccessibleDescription('Choose another time than From.');
    await expect(quiet).toHaveAccessibleDescription('Everything is posted at any time.');
    await inspect(page, 'settings quiet hours without end');
    await until.fill('07:00');
    await expect(until).toHaveAccessibleDescription('');
    await card.getByRole('button', { name: 'Beginning on' }).press('Enter');
    for (const day of ['Saturday', 'Sunday']) await card.getByRole('checkbox', { name: day }).press('Space');
    await page.keyboard.press('Escape');
    await expect(quiet).toHaveAccessibleDescription(/beginning on Monday to Friday\.$/);
    await inspect(page, 'settings quiet hours');
    await card.getByRole('button', { name: 'Save' }).press('Enter');
    await expect(card.getByRole('status')).toHaveText('Saved. What waits now follows it.');
    await page.reload();
    await expect(quiet).toBeChecked();
    await expect(quiet).toHaveAccessibleDescription(/Monday to Friday\.$/);
  });
});
