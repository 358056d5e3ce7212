import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { choose, chosen } from './journey';
import { connectBoth } from './shortcuts';

test('a rule reminds of a date, made by keyboard, and is opened again as it was', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/rules');
  const dialog = page.getByRole('dialog');
  const preview = dialog.getByRole('region', { name: 'Preview' });
  const event = dialog.getByRole('combobox', { name: 'Event Type' });
  const days = dialog.getByRole('spinbutton', { name: 'Days', exact: true });
  const create = dialog.getByRole('button', { name: 'Create Rule' });
  const typeInto = async (name: string, words: string) => {
    await dialog.getByRole('combobox', { name, exact: true }).focus();
    await page.keyboard.type(words);
  };

  await test.step('each rule that a clock fires shows its own fields', async () => {
    await page.getByRole('button', { name: 'New Rule' }).press('Enter');
    await choose(page, 'Database', 'Sprint board');
    await choose(page, 'Channel', 'tasks');
    await event.focus();
    await page.keyboard.type('Page Untouched');
    await expect(dialog.getByLabel('Days without a change')).toHaveValue('7');
    await expect(preview).toContainText('Write the release notes: nothing changed for 7 days');
    await inspect(page, 'rule dialog untouched');
    await event.focus();
    await page.keyboard.type('Summary');
    await expect(dialog.getByRole('combobox', { name: 'Comes' })).toHaveValue('workday');
    await expect(preview).toContainText('3 pages in Sprint board');
    await expect(preview).toContainText('Open one to work on it');
    await typeInto('Sort by', 'Due');
    await expect(dialog.getByRole('combobox', { name: 'Direction' })).toHaveValue('ascending');
    await typeInto('Comes', 'Each week');
    await expect(dialog.getByRole('combobox', { name: 'Day', exact: true })).toHaveValue('1');
    const more = dialog.getByRole('button', { name: 'More', exact: true });
    await more.press('Enter');
    const name = dialog.getByLabel('Name', { exact: true });
    await name.fill('שלום');
    await expect(preview).toContainText('Pagewire · \u2068שלום\u2069 · summary each Monday at 09:00');
    await name.clear();
    await more.press('Enter');
    await inspect(page, 'rule dialog summary');
  });

  await test.step('a list of real pages is drawn as Discord draws it', async () => {
    await preview.getByRole('button', { name: 'Preview' }).press('Enter');
    await expect(preview.getByText('The pages are real')).toBeVisible();
    const lines = preview.locator('p > .list-item');
    await expect(lines).toHaveCount(10);
    await expect(lines.filter({ hasText: 'Boss fight: ember golem' })).toHaveText(/^Boss fight: ember golem/);
    await expect(preview).not.toContainText(/\]\(|https?:/);
    await expect(preview.locator('[style*="border-left"]')).toHaveCSS('border-left-color', 'rgb(30, 31, 34)');
  });

  await test.step('what is missing is said at its field', async () => {
    await event.focus();
    await page.keyboard.type('Date Near');
    await expect(chosen(page, 'Date')).toHaveText('Due date');
    await expect(preview).toContainText('Write the release notes is due tomorrow');
    for (const label of ['Done', 'Tomorrow', 'Next week']) {
      await expect(preview.getByText(label, { exact: true })).toBeVisible();
    }
    await days.focus();
    await page.keyboard.press('Backspace');
    await create.press('Enter');
    await expect(days).toBeFocused();
    await expect(days).toHaveAccessibleDescription('Say how many days, from 1 to 30.');
    await inspect(page, 'rule dialog date near without days');
    await page.keyboard.type('02');
    await expect(days).toHaveValue('02');
    await expect(days).toHaveAccessibleDescription('');
    await expect(dialog.getByLabel('Time', { exact: true })).toHaveAccessibleDescription(
      /^In .+, the time zone of the settings\.$/,
    );
  });

  await test.step('what only things that happen have is not offered', async () => {
    await dialog.getByRole('button', { name: 'More', exact: true }).press('Enter');
    await expect(dialog.getByRole('combobox', { name: 'Size' })).toBeVisible();
    for (const name of ['Posts', 'Cards']) {
      await expect(dialog.getByRole('combobox', { name, exact: true })).toHaveCount(0);
    }
    await dialog.getByRole('button', { name: 'People', exact: true }).press('Enter');
    await expect(dialog.getByRole('combobox', { name: 'Pings' })).toBeVisible();
    await expect(dialog.getByRole('combobox', { name: 'Posts what is done by' })).toHaveCount(0);
    await inspect(page, 'rule dialog date near');
  });

  await test.step('the rule says so in the list, and in its form', async () => {
    await create.press('Enter');
    const row = page.getByRole('listitem', { name: 'Sprint board to #tasks' });
    await expect(row).toContainText('2 days before Due date at 09:00');
    await inspect(page, 'rules by the clock');
    await row.getByRole('button', { name: /^Edit rule/ }).press('Enter');
    await expect(event).toHaveValue('date_near');
    await expect(chosen(page, 'Date')).toHaveText('Due date');
    await expect(days).toHaveValue('2');
    await expect(dialog.getByLabel('Time', { exact: true })).toHaveValue('09:00');
  });

  await test.step('another source has no such events', async () => {
    await choose(page, 'Watch', 'Everything shared');
    await expect(event).toHaveValue('page_created');
    await expect(event.locator('option', { hasText: 'Date Near' })).toHaveCount(0);
    await expect(days).toHaveCount(0);
  });
});

test('a recipe reminds whoever works on a task of what is due tomorrow', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/rules');
  const dialog = page.getByRole('dialog', { name: 'Create Notification Rule' });
  const preview = dialog.getByRole('region', { name: 'Preview' });
  await page.getByRole('button', { name: 'Start from a recipe' }).press('Enter');
  await choose(page, 'Database', 'Sprint board');
  await dialog.getByRole('button', { name: 'Use Due tomorrow' }).press('Enter');
  await expect(dialog.getByRole('combobox', { name: 'To', exact: true })).toBeFocused();
  await expect(chosen(page, 'To')).toHaveText('Whoever is in a property');
  await expect(chosen(page, 'Property')).toHaveText('Assignee');
  await expect(chosen(page, 'Date')).toHaveText('Due date');
  await expect(dialog.getByRole('button', { name: 'Conditions', exact: true })).toHaveAccessibleDescription(
    '1 condition: Status is not Done or Cut.',
  );
  await expect(dialog.getByRole('button', { name: 'People', exact: true })).toHaveCount(0);
  await inspect(page, 'recipe due tomorrow');
  await preview.getByRole('button', { name: 'Preview' }).press('Enter');
  await expect(preview.getByText('The page is real.')).toBeVisible();
  await expect(preview).toContainText(/ is due tomorrow/);
  await expect(preview.getByText('Stop these messages', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Create Rule' }).press('Enter');
  await expect(page.getByText('1 day before Due date at 09:00, if Status is not Done or Cut')).toBeVisible();
});
