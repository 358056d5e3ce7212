import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { choose, chosen, tick } from './journey';
import { connectBoth } from './shortcuts';

test('a recipe fills the form by keyboard, asks for the channel, and overwrites nothing without a question', async ({
  page,
  signIn,
  control,
}) => {
  await control.call('notion', 'POST', '/_sandbox/notion/databases/schema', {
    database: 'Patch notes',
    edit: { action: 'add property', name: 'Announced', type: 'date' },
  });
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/rules');
  const dialog = page.getByRole('dialog', { name: 'Create Notification Rule' });
  const section = dialog.getByRole('button', { name: 'Start from a recipe' });
  const use = (name: string) => dialog.getByRole('button', { name: `Use ${name}` });
  const channel = dialog.getByRole('combobox', { name: 'Channel' });
  const conditions = dialog.getByRole('button', { name: 'Conditions', exact: true });

  await page.getByRole('button', { name: 'Start from a recipe' }).press('Enter');
  await expect(section).toHaveAttribute('aria-expanded', 'true');

  await test.step('what does not fit says why and is not offered', async () => {
    await choose(page, 'Database', 'Patch notes');
    const recipes = dialog.getByRole('list', { name: 'Recipes' });
    await expect(recipes.getByRole('listitem').filter({ hasText: 'Done or blocked' })).toContainText(
      'Does not fit: Patch notes has no status, so its pages are no tasks.',
    );
    await expect(use('Done or blocked')).toHaveCount(0);
    await inspect(page, 'recipes that do not fit');
  });

  await test.step('of several dates, a person says which is meant', async () => {
    const dates = dialog.getByRole('combobox', { name: 'Due date moved: Which date is the due date?' });
    await expect(use('Due date moved')).toBeDisabled();
    await dates.selectOption({ label: 'Announced' });
    await use('Due date moved').press('Enter');
    await expect(conditions).toHaveAccessibleDescription('1 condition: Announced changed.');
    await section.press('Enter');
  });

  await test.step('what fits fills the form but the channel', async () => {
    await choose(page, 'Database', 'Sprint board');
    await inspect(page, 'recipes');
    await use('Done or blocked').press('Enter');
    await expect(channel).toBeFocused();
    await expect(chosen(page, 'Channel')).toHaveText('Select a channel');
    await expect(page.getByRole('button', { name: 'Create Rule' })).toBeDisabled();
    await expect(chosen(page, 'Event Type')).toHaveText('Page Updated');
    await expect(conditions).toHaveAccessibleDescription('1 condition: Status changed to Done or Cut.');
    await expect(section).toHaveAccessibleDescription(/^Filled in: Done or blocked\. Notion does not say/);
    await inspect(page, 'recipe filled in');
  });

  const question = page.getByRole('alertdialog', { name: 'Replace what you entered?' });
  await test.step('another replaces it, and asks before it replaces what a person entered', async () => {
    await section.press('Enter');
    await use('Due date moved').press('Enter');
    await expect(conditions).toHaveAccessibleDescription('1 condition: Due date changed.');
    await choose(page, 'Channel', 'tasks');
    await tick(page, 'Watched Properties', 'Priority');
    await section.press('Enter');
    await use('Assigned to somebody').press('Enter');
    await question.getByRole('button', { name: 'Keep editing' }).press('Enter');
    await expect(use('Assigned to somebody')).toBeFocused();
    await expect(conditions).toHaveAccessibleDescription('1 condition: Due date changed.');
    await use('Assigned to somebody').press('Enter');
    await question.getByRole('button', { name: 'Replace' }).press('Enter');
    await expect(channel).toBeFocused();
    await expect(chosen(page, 'Channel')).toContainText('tasks');
    await expect(conditions).toHaveAccessibleDescription('1 condition: Assignee is not empty.');
  });

  await page.getByRole('button', { name: 'Create Rule' }).press('Enter');
  await expect(page.getByRole('listitem', { name: 'Sprint board to #tasks' })).toContainText(
    'Assignee changes, if Assignee is not empty',
  );
});

test('recipes fill in a rule for comments, and one for a page that is left to be chosen', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await control.call('notion', 'POST', '/_sandbox/notion/authorizations/share', {
    person: 'mira',
    page: 'Engineering wiki',
  });
  await page.goto('/rules');
  const dialog = page.getByRole('dialog', { name: 'Create Notification Rule' });
  const section = dialog.getByRole('button', { name: 'Start from a recipe' });
  const use = (name: string) => dialog.getByRole('button', { name: `Use ${name}` });
  const search = dialog.getByRole('combobox', { name: 'Page', exact: true });
  const question = page.getByRole('alertdialog', { name: 'Replace what you entered?' });
  await page.getByRole('button', { name: 'Start from a recipe' }).press('Enter');
  await choose(page, 'Database', 'Sprint board');

  await test.step('comments are about the chosen database', async () => {
    await use('Comments on tasks').press('Enter');
    await expect(dialog.getByRole('combobox', { name: 'Channel' })).toBeFocused();
    await expect(chosen(page, 'Event Type')).toHaveText('Comment Added');
    await expect(section).toHaveAccessibleDescription('Filled in: Comments on tasks.');
  });

  await test.step('documents are about a page, whose choice gets the focus', async () => {
    await section.press('Enter');
    await use('Documents created under a page').press('Enter');
    await expect(search).toBeFocused();
    await expect(dialog.getByLabel('Database', { exact: true })).toHaveCount(0);
    await expect(chosen(page, 'Watch')).toHaveText('A page');
    await expect(chosen(page, 'Subpages')).toHaveText('The page and all below');
    await expect(chosen(page, 'Event Type')).toHaveText('Page Created');
    await expect(chosen(page, 'Channel')).toHaveText('Select a channel');
    await expect(page.getByRole('button', { name: 'Create Rule' })).toBeDisabled();
    await inspect(page, 'recipe that leaves the page to be chosen');
  });

  const choosePage = async () => {
    await page.keyboard.type('Engineering');
    const found = dialog.getByRole('listbox', { name: 'Pages' }).getByRole('option');
    await expect(found).toHaveCount(1);
    await expect(found).toHaveText(/Engineering wiki/);
    await expect(found).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: /^Page: Engineering wiki/ })).toBeFocused();
    await expect(section).toHaveAccessibleDescription(/^Filled in: Documents created under a page\./);
  };

  await test.step('without a database, only documents fit, and a chosen page is not lost without a question', async () => {
    await choosePage();
    await section.press('Enter');
    const recipes = dialog.getByRole('list', { name: 'Recipes' });
    await expect(recipes.getByText('Does not fit: No database is chosen.')).toHaveCount(7);
    await inspect(page, 'recipes without a database');
    await use('Documents created under a page').press('Enter');
    await question.getByRole('button', { name: 'Replace' }).press('Enter');
    await expect(search).toBeFocused();
    await choosePage();
  });

  await choose(page, 'Channel', 'tasks');
  await page.getByRole('button', { name: 'Create Rule' }).press('Enter');
  await expect(
    page.getByRole('listitem', { name: /^Engineering wiki and all below to #tasks/ }),
  ).toContainText('Engineering wiki and all below: new pages');
});
