import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { choose, editTask, tick } from './journey';
import { connectBoth, createRule } from './shortcuts';

test.use({ expectedConsole: /Failed to load resource/ });

const TITLE = 'Boss fight: ember golem';

test('a rule gets conditions by keyboard, reads back as a sentence, and posts only what meets them', async ({
  page,
  signIn,
  control,
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
  await expect(add).toBeEnabled();
  await add.press('Enter');
  const property = dialog.getByRole('combobox', { name: 'Property of condition 1' });
  await expect(property).toBeFocused();

  await test.step('on a number, which stays as it is typed', async () => {
    await page.keyboard.type('Estimate');
    const estimate = dialog.getByLabel('Value of condition 1');
    for (const typed of ['-0.5', '100.00', '1.05']) {
      await estimate.fill('');
      await estimate.pressSequentially(typed);
      await expect(estimate).toHaveValue(typed);
    }
    await expect(section).toHaveAccessibleDescription('1 condition: Estimate is 1.05.');
  });

  await test.step('on an option', async () => {
    await property.focus();
    await page.keyboard.type('Priority');
    await expect(dialog.getByRole('combobox', { name: 'Operator of condition 1' })).toHaveValue('is');
    await tick(page, 'Value of condition 1', 'Critical');
    await expect(section).toHaveAccessibleDescription('1 condition: Priority is Critical.');
  });

  await test.step('on what changed', async () => {
    await add.press('Enter');
    await choose(page, 'Property of condition 2', 'Blocked');
    const operator = dialog.getByRole('combobox', { name: 'Operator of condition 2' });
    await operator.focus();
    await page.keyboard.type('changed');
    await choose(page, 'Old value of condition 2', 'checked');
    await expect(section).toHaveAccessibleDescription(/ and Blocked changed from checked\.$/);
    await choose(page, 'Old value of condition 2', 'anything');
    await expect(section).toHaveAccessibleDescription(/ and Blocked changed\.$/);
    await dialog.getByRole('combobox', { name: 'Property of condition 2' }).focus();
    await page.keyboard.type('Status');
    await operator.focus();
    await page.keyboard.type('changed');
    await tick(page, 'New value of condition 2', 'Done');
    await expect(section).toHaveAccessibleDescription(
      '2 conditions: Priority is Critical and Status changed to Done.',
    );
  });

  await test.step('on a day, a number of days, a text and a box', async () => {
    await add.press('Enter');
    await expect(dialog.getByRole('combobox', { name: 'Property of condition 3' })).toBeFocused();
    await page.keyboard.type('Due date');
    const due = dialog.getByLabel('Value of condition 3', { exact: true });
    await due.fill('2026-11-24');
    const words = dialog.getByLabel('Value of condition 3, in words');
    await words.fill('some day');
    await expect(words).toHaveAttribute('aria-invalid', 'true');
    await expect(words).toHaveAccessibleDescription(
      'These words name no day. Try “tomorrow”, “in 3 days” or “2 weeks ago”.',
    );
    await expect(due).toHaveValue('');
    await words.fill('in 3 days');
    await expect(words).toHaveAccessibleDescription('');
    await expect(due).toHaveValue(/^2\d{3}-/);
    await add.press('Enter');
    await choose(page, 'Property of condition 4', 'Due date');
    await dialog.getByLabel('Value of condition 4', { exact: true }).fill('2026-12-24');
    await dialog.getByRole('button', { name: 'Remove condition 3' }).press('Enter');
    await expect(due).toHaveValue('2026-12-24');
    await expect(words).toHaveValue('');
    await expect(dialog.getByRole('button', { name: 'Remove condition 3' })).toBeFocused();
    await dialog.getByRole('combobox', { name: 'Operator of condition 3' }).selectOption('within_next_days');
    await expect(due).toHaveValue('7');
    await add.press('Enter');
    await dialog.getByRole('combobox', { name: 'Property of condition 4' }).selectOption({ label: 'Notes' });
    await section.press('Enter');
    await expect(add).toHaveCount(0);
    await page.getByRole('button', { name: 'Save Changes' }).press('Enter');
    await expect(dialog.getByRole('alert')).toHaveText('Condition 4 needs a value.');
    const notes = dialog.getByLabel('Value of condition 4');
    await expect(notes).toBeFocused();
    await notes.fill('arena');
    for (const wrong of ['-3', '3651']) {
      await due.fill('');
      await due.pressSequentially(wrong);
      await page.getByRole('button', { name: 'Save Changes' }).press('Enter');
      await expect(due).toBeFocused();
      await expect(due).toHaveValue(wrong);
      await expect(due).toHaveAccessibleDescription('Condition 3 needs a number of days from 0 to 3650.');
    }
    await due.fill('7');
    await expect(due).toHaveAccessibleDescription('');
    await dialog.getByRole('combobox', { name: 'How many must hold' }).selectOption({ label: 'Any of them' });
    await section.scrollIntoViewIfNeeded();
    await inspect(page, 'rule dialog conditions');
    await dialog.getByRole('button', { name: 'Remove condition 4' }).press('Enter');
    await dialog.getByRole('button', { name: 'Remove condition 3' }).press('Enter');
  });

  await test.step('tried on what happened before it is saved', async () => {
    const section = dialog.getByRole('region', { name: 'What would it have done?' });
    const attempt = section.getByRole('button', { name: 'Try on the last 7 days' });
    await attempt.press('Enter');
    await expect(section).toContainText('Nothing happened in this database in the last 7 days.');
    await editTask(control, TITLE, { Status: 'Done' });
    await editTask(control, 'Ash storm weather effect', { Status: 'Playtesting' });
    await expect(async () => {
      await attempt.press('Enter');
      await expect(section).toContainText('1 card from 2 events: 1 not posted, 0 not known.');
    }).toPass();
    const bars = section.getByRole('list', { name: 'Cards by day, in UTC' }).getByRole('listitem');
    await expect(bars).toHaveCount(7);
    await expect(bars.last()).toContainText(': 1 card');
    const events = section.getByRole('region', { name: 'Events' });
    await expect(events.getByRole('listitem').filter({ hasText: TITLE })).toContainText(
      /Status: (In progress → )?Done/,
    );
    await expect(events).toContainText('The page does not meet the conditions of the rule.');
    await section.scrollIntoViewIfNeeded();
    await inspect(page, 'rule dialog tried');
    await section.getByRole('button', { name: 'Not known' }).press('Enter');
    await expect(events).toHaveText('None of these.');
    await control.fault({
      target: 'notion',
      kind: 'fail',
      match: 'GET /v1/data_sources',
      status: 503,
      times: 0,
    });
    await attempt.press('Enter');
    await expect(section.getByRole('alert')).toContainText('Notion does not answer.');
    await control.clearFaults();
    await attempt.press('Enter');
    await expect(section).toContainText('1 card from 2 events');
    await expect(attempt).toBeFocused();
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
