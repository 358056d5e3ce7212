import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { tick } from './journey';
import { connectBoth, createRule } from './shortcuts';

test.use({ expectedConsole: /400|Failed to import rules/ });

test('a rule gets a name, authors and pings without a mouse, and is duplicated', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  const dialog = page.getByRole('dialog', { name: 'Edit Notification Rule' });
  const people = dialog.getByRole('button', { name: 'People', exact: true });
  const more = dialog.getByRole('button', { name: 'More', exact: true });
  const edit = page.getByRole('button', { name: 'Edit rule Sprint board to #tasks' });

  await edit.press('Enter');
  await expect(people).toHaveAccessibleDescription('What anyone did. Pings the people on the card.');
  await expect(more).toHaveAccessibleDescription('No name: what the rule does stands for it.');
  await more.scrollIntoViewIfNeeded();
  await inspect(page, 'rule dialog sections closed');

  await test.step('authors', async () => {
    await people.press('Enter');
    await expect(people).toHaveAttribute('aria-expanded', 'true');
    const authors = dialog.getByRole('combobox', { name: 'Posts what is done by' });
    await expect(authors).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(authors).toBeFocused();
    await page.keyboard.type('Only');
    await expect(authors).toHaveValue('only');
    const these = dialog.getByRole('button', { name: 'These people' });
    await expect(these).toHaveAccessibleDescription('Choose at least one.');
    await people.press('Enter');
    await dialog.getByRole('button', { name: 'Save Changes' }).press('Enter');
    await expect(these).toBeFocused();
    await these.press('Enter');
    await dialog.getByRole('checkbox', { name: 'Jonas Brandt' }).press('Space');
    await page.keyboard.press('Escape');
    await expect(people).toHaveAccessibleDescription(/^Only what Jonas Brandt did\./);
  });

  await test.step('pings', async () => {
    await dialog.getByRole('combobox', { name: 'Pings', exact: true }).focus();
    await page.keyboard.type('Only');
    await tick(page, 'Roles to ping always', '@Engineers');
    await expect(dialog.getByRole('checkbox', { name: '@Leads' })).toHaveCount(0);
    await expect(people).toHaveAccessibleDescription(
      'Only what Jonas Brandt did. Pings the assignees and @Engineers.',
    );
    await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('@Engineers');
  });

  await more.press('Enter');
  await expect(dialog.getByLabel('Name', { exact: true })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Release radar');
  await expect(more).toHaveAccessibleDescription('Named “Release radar”.');
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('Pagewire · Release radar');
  await more.scrollIntoViewIfNeeded();
  await inspect(page, 'rule dialog sections open');
  await page.keyboard.press('Enter');

  const row = page.getByRole('listitem', { name: 'Release radar', exact: true });
  await expect(row).toContainText('Release radar · Sprint board: Status changes, by Jonas Brandt');
  await page.getByRole('button', { name: 'Duplicate rule Release radar' }).press('Enter');
  const copy = page.getByRole('listitem', { name: 'Release radar (copy)' });
  await expect(copy.getByRole('switch')).not.toBeChecked();
  await inspect(page, 'rules duplicated');

  await test.step('all rules go to a file, and come back from it', async () => {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export all rules' }).press('Enter');
    const path = await (await saved).path();
    await page.getByRole('button', { name: 'Import rules' }).press('Enter');
    const file = page.getByLabel('File');
    await file.setInputFiles({
      name: 'x.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"a":1}'),
    });
    await expect(file).toHaveAccessibleDescription(
      /^This file is not an export of rules, or it was changed: file is not one that Pagewire exported\./,
    );
    await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
    await file.setInputFiles(path);
    await expect(page.getByText(/exists already: Release radar/)).toBeVisible();
    await page.getByLabel('Also import rules that exist already').press('Space');
    await expect(page.getByRole('list', { name: 'What would be created' })).toContainText('Release radar');
    await inspect(page, 'import rules');
    await page.getByRole('button', { name: 'Import 2 rules' }).press('Enter');
    await expect(page.getByRole('listitem', { name: 'Release radar', exact: true })).toHaveCount(2);
  });
});

test('two roles of one name are told apart in the summary too', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  const twin = { id: '900000000000004321', name: 'Engineers', isMentionable: true };
  await page.route('**/api/app/discord/server', async (route) => {
    const response = await route.fetch();
    const server = await response.json();
    await route.fulfill({ response, json: { ...server, roles: [...server.roles, twin] } });
  });
  await page.goto('/rules');
  await page.getByRole('button', { name: 'Edit rule Sprint board to #tasks' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit Notification Rule' });
  const people = dialog.getByRole('button', { name: 'People', exact: true });
  await people.press('Enter');
  await tick(page, 'Roles to ping always', '@Engineers (id ends in 4321)');
  await expect(people).toHaveAccessibleDescription(/ and @Engineers \(id ends in 4321\)\.$/);
});
