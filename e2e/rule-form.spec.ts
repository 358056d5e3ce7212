import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { choose, chosen, denyPosting, tick } from './journey';
import { connectBoth, createRule } from './shortcuts';

const dialogOn = (page: Page) => page.getByRole('dialog');

async function editRule(page: Page): Promise<void> {
  await page.goto('/rules');
  await page.getByRole('button', { name: 'Edit rule Sprint board to #tasks' }).press('Enter');
  await expect(dialogOn(page)).toBeVisible();
}

async function newRule(page: Page): Promise<void> {
  await page.goto('/rules');
  await page.getByRole('button', { name: 'New Rule' }).press('Enter');
  await choose(page, 'Database', 'Sprint board');
}

test('several values of a condition that come from elsewhere are all shown, kept and removed one by one', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page, {
    conditions: {
      match: 'all',
      items: [
        { propertyId: 'Estimate', operator: 'is', values: [1, 3, 5] },
        { propertyId: 'Due date', operator: 'before', values: ['2026-11-24', '2026-11-25'] },
      ],
    },
  });
  await editRule(page);
  const section = dialogOn(page).getByRole('button', { name: 'Conditions', exact: true });
  await section.press('Enter');
  const estimate = dialogOn(page).getByRole('button', { name: 'Value of condition 1' });
  await expect(estimate).toHaveText('135');
  await expect(dialogOn(page).getByRole('button', { name: 'Value of condition 2' })).toHaveText(
    /Nov 24, 2026.*Nov 25, 2026/,
  );
  await estimate.press('Enter');
  await dialogOn(page).getByRole('checkbox', { name: '3', exact: true }).uncheck();
  await page.keyboard.press('Escape');
  await expect(section).toHaveAccessibleDescription(
    /^2 conditions: Estimate is 1 or 5 and Due date is before Nov 24, 2026 or Nov 25, 2026\.$/,
  );
  await page.getByRole('button', { name: 'Save Changes' }).press('Enter');
  await expect(dialogOn(page)).toBeHidden();
  await editRule(page);
  await expect(section).toHaveAccessibleDescription(/Estimate is 1 or 5 and/);
});

test('two people of one name are told apart in the summary of the conditions', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  const twin = { id: '00000000-0000-4000-8000-000000004321', name: 'Jonas Brandt', avatarUrl: null };
  await page.route('**/api/app/notion/workspace', async (route) => {
    const response = await route.fetch();
    const workspace = await response.json();
    await route.fulfill({ response, json: { ...workspace, users: [...workspace.users, twin] } });
  });
  await newRule(page);
  const section = dialogOn(page).getByRole('button', { name: 'Conditions', exact: true });
  await section.press('Enter');
  await dialogOn(page).getByRole('button', { name: 'Add Condition' }).click();
  await choose(page, 'Property of condition 1', 'Assignee');
  await tick(page, 'Value of condition 1', 'Jonas Brandt (id ends in 4321)');
  await expect(section).toHaveAccessibleDescription(
    /^1 condition: Assignee .+ Jonas Brandt \(id ends in 4321\)\.$/,
  );
});

test('whoever has chosen all buttons that a card can have reads why there is no other', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await newRule(page);
  await dialogOn(page).getByRole('button', { name: 'More', exact: true }).press('Enter');
  const buttons = dialogOn(page).getByRole('button', { name: 'Buttons' });
  await expect(buttons).toHaveText('Assign to meChange status');
  await buttons.press('Enter');
  const list = page.getByRole('group', { name: 'Buttons' });
  await list.getByRole('checkbox', { name: 'Comment' }).press('Space');
  await expect(list.getByRole('status')).toHaveText('');
  const assign = list.getByRole('checkbox', { name: 'Assign', exact: true });
  await expect(assign).toBeEnabled();
  await list.getByRole('checkbox', { name: 'Done' }).press('Space');
  await expect(list.getByRole('status')).toHaveText('All 4 are chosen. Untick one to choose another.');
  await expect(assign).toBeDisabled();
  const ticked = list.locator('input:checked');
  await page.keyboard.press('ArrowDown');
  await expect(ticked.last()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(ticked.first()).toBeFocused();
  await page.keyboard.press('Space');
  await expect(assign).toBeEnabled();
  await expect(list.getByRole('status')).toHaveText('');
});

test('the buttons above the card stay beside it while the form is scrolled', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await newRule(page);
  await choose(page, 'Channel', 'tasks');
  await dialogOn(page).getByRole('button', { name: 'More', exact: true }).press('Enter');
  await dialogOn(page).getByRole('combobox', { name: 'Size' }).focus();
  await expect(dialogOn(page).getByRole('combobox', { name: 'Watch' })).not.toBeInViewport();
  for (const name of ['Preview', 'Send test']) {
    await expect(dialogOn(page).getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  }
});

test('more fields than a card has room for are told, and not drawn', async ({ page, signIn, control }) => {
  for (let number = 1; number <= 26; number += 1) {
    await control.call('notion', 'POST', '/_sandbox/notion/databases/schema', {
      database: 'Sprint board',
      edit: { action: 'add property', name: `Extra ${number}`, type: 'number' },
    });
  }
  await signIn('mira');
  await connectBoth(page);
  const displayedFields = Array.from({ length: 26 }, (_, index) => `Extra ${index + 1}`);
  await createRule(page, { displayedFields });
  await editRule(page);
  const fields = dialogOn(page).getByRole('button', { name: 'Displayed Fields' });
  const drawn = dialogOn(page)
    .getByRole('region', { name: 'Preview' })
    .getByText(/^Extra/);
  await expect(drawn).toHaveCount(25);
  await expect(fields).toHaveAccessibleDescription(
    'A card has room for 25 fields: the first of these that have a value.',
  );
  await fields.press('Enter');
  await page
    .getByRole('group', { name: 'Displayed Fields' })
    .getByRole('checkbox', { name: 'Extra 26' })
    .uncheck();
  await page.keyboard.press('Escape');
  await expect(fields).toHaveAccessibleDescription('Shown on the card besides the title and what changed.');
  await expect(drawn).toHaveCount(25);
});

test('whoever goes from a database to a page and back finds the same database', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await newRule(page);
  const database = await chosen(page, 'Database').textContent();
  for (const other of ['A page', 'Everything shared']) {
    await choose(page, 'Watch', other);
    await choose(page, 'Watch', 'A database');
    await expect(chosen(page, 'Database')).toHaveText(database ?? '');
  }
});

test('a time is in the zone of the settings, under the name that it has there', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/settings');
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('America/New_York');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(page.getByText('Saved. What waits now follows it.')).toBeVisible();
  await newRule(page);
  await choose(page, 'Event Type', 'Summary');
  await expect(dialogOn(page).getByLabel('Time', { exact: true })).toHaveAccessibleDescription(
    'In America/New York, the time zone of the settings.',
  );
});

test('a reminder in a database without a date is drawn all the same', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await page.route('**/api/app/notion/databases/*/properties', async (route) => {
    const response = await route.fetch();
    const { properties } = (await response.json()) as { properties: { type: string }[] };
    const dateless = properties.filter(({ type }) => !/date|time|formula|rollup/.test(type));
    await route.fulfill({ response, json: { properties: dateless } });
  });
  await newRule(page);
  await choose(page, 'Event Type', 'Date Near');
  await expect(page.getByText('This database has no date.')).toBeVisible();
  await expect(dialogOn(page).getByRole('region', { name: 'Preview' })).toContainText(
    'Write the release notes is due tomorrow',
  );
});

test('a letter leads to the next option of a list that begins with it', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await newRule(page);
  const button = dialogOn(page).getByRole('button', { name: 'Displayed Fields' });
  // Until the properties are read there is no list.
  await expect(button).toHaveAttribute('aria-disabled', 'false');
  await button.press('Enter');
  const list = page.getByRole('group', { name: 'Displayed Fields' });
  const box = (name: string) => list.getByRole('checkbox', { name, exact: true });
  await expect(box('Name')).toBeFocused();
  await page.keyboard.press('d');
  await expect(box('Due date')).toBeFocused();
  await page.keyboard.press('d');
  await expect(box('Design docs')).toBeFocused();
  await page.keyboard.press('Shift+A');
  await expect(box('Assignee')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(box('Assignee')).toBeChecked();
  await page.keyboard.press('Control+d');
  await expect(box('Assignee')).toBeFocused();
});

test('the old and the new value of a change are told apart by a word above each', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  const changed = { propertyId: 'Estimate', operator: 'changed', from: [1], to: [2] };
  await createRule(page, { conditions: { match: 'all', items: [changed] } });
  await editRule(page);
  await dialogOn(page).getByRole('button', { name: 'Conditions', exact: true }).press('Enter');
  for (const [word, name, value] of [
    ['From', 'Old value of condition 1', '1'],
    ['To', 'New value of condition 1', '2'],
  ] as const) {
    const field = dialogOn(page).getByRole('listitem').locator('div').filter({ hasText: word }).last();
    await expect(field.getByText(word, { exact: true })).toBeVisible();
    await expect(field.getByRole('spinbutton', { name })).toHaveValue(value);
  }
});

test.describe('a refusal', () => {
  test.use({ expectedConsole: /status of 400|Failed to save rule/ });

  test('is told without the field of the request that it is about', async ({ page, signIn, control }) => {
    await signIn('mira');
    await connectBoth(page);
    await newRule(page);
    await choose(page, 'Channel', 'tasks');
    await denyPosting(control, true);
    const refusal = /^The bot cannot post in #tasks: Send Messages is denied .+\.$/;
    await page.getByRole('button', { name: 'Create Rule' }).press('Enter');
    await expect(dialogOn(page).getByRole('alert')).toHaveText(refusal);
    await dialogOn(page).getByRole('button', { name: 'Preview' }).press('Enter');
    await expect(dialogOn(page).getByRole('alert').first()).toHaveText(refusal);
  });
});
