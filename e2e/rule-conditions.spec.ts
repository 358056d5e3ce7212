import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { tick } from './journey';
import { connectBoth, createRule } from './shortcuts';

test('a rule gets conditions by keyboard, reads back as a sentence, and posts only what meets them', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  const dialog = page.getByRole('dialog', { name: 'Edit Notification Rule' });
  const section = dialog.getByRole('button', { name: 'Conditions', exact: true });
  const add = dialog.getByRole('button', { name: 'Add Condition' });
  const edit = page.getByRole('button', { name: 'Edit rule Sprint board to #tasks' });

  await edit.press('Enter');
  await expect(section).toHaveAccessibleDescription('Any page will do.');
  await section.press('Enter');
  await add.press('Enter');
  const property = dialog.getByRole('combobox', { name: 'Property of condition 1' });
  await expect(property).toBeFocused();

  await test.step('on an option', async () => {
    await page.keyboard.type('Priority');
    await expect(dialog.getByRole('combobox', { name: 'Operator of condition 1' })).toHaveValue('is');
    await tick(page, 'Value of condition 1', 'Critical');
    await expect(section).toHaveAccessibleDescription('1 condition: Priority is Critical.');
  });

  await test.step('on what changed', async () => {
    await add.press('Enter');
    await page.keyboard.type('Status');
    await dialog.getByRole('combobox', { name: 'Operator of condition 2' }).focus();
    await page.keyboard.type('changed');
    await tick(page, 'New value of condition 2', 'Done');
    await expect(section).toHaveAccessibleDescription(
      '2 conditions: Priority is Critical and Status changed to Done.',
    );
  });

  await test.step('on a day, a number of days, a text and a box', async () => {
    await add.press('Enter');
    await page.keyboard.type('Due date');
    const due = dialog.getByLabel('Value of condition 3');
    await due.fill('2026-11-24');
    await dialog.getByRole('combobox', { name: 'Operator of condition 3' }).selectOption('within_next_days');
    await expect(due).toHaveValue('7');
    await add.press('Enter');
    await dialog.getByRole('combobox', { name: 'Property of condition 4' }).selectOption({ label: 'Notes' });
    await page.getByRole('button', { name: 'Save Changes' }).press('Enter');
    await expect(dialog.getByRole('alert')).toHaveText('Condition 4 needs a value.');
    const notes = dialog.getByLabel('Value of condition 4');
    await expect(notes).toBeFocused();
    await notes.fill('arena');
    await dialog.getByRole('combobox', { name: 'How many must hold' }).selectOption({ label: 'Any of them' });
    await section.scrollIntoViewIfNeeded();
    await inspect(page, 'rule dialog conditions');
    await dialog.getByRole('button', { name: 'Remove condition 4' }).press('Enter');
    await dialog.getByRole('button', { name: 'Remove condition 3' }).press('Enter');
  });

  await page.getByRole('button', { name: 'Save Changes' }).press('Enter');
  const row = page.getByRole('listitem', { name: 'Sprint board to #tasks' });
  await expect(row).toContainText('if Priority is Critical or Status changed to Done');
  await inspect(page, 'rule with conditions');
  await edit.press('Enter');
  await expect(section).toHaveAccessibleDescription(
    '2 conditions: Priority is Critical or Status changed to Done.',
  );
});
