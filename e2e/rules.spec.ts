import { expect, test } from './fixtures';
import { choose, chosen, connectBoth, createRule, tick } from './journey';

test('a rule is made, switched, edited and deleted', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/rules');
  await expect(page.getByText('No rules yet')).toBeVisible();

  await test.step('nothing is saved without a watched property', async () => {
    await page.getByRole('button', { name: 'Create First Rule' }).click();
    await choose(page, 'Database', 'Sprint board');
    await choose(page, 'Event Type', 'Page Updated');
    await page.getByRole('button', { name: 'Create Rule' }).click();
    await expect(
      page.getByText('Please select at least one property to watch for page_updated events'),
    ).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Channel' })).not.toContainText('announcements');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  await createRule(page);
  await expect(page.getByText('TASK DB')).toBeVisible();
  await expect(page.getByText('Page Updated')).toBeVisible();

  await test.step('the switch holds', async () => {
    const toggle = page.getByRole('switch', { name: 'Enable Sprint board to #tasks' });
    await expect(toggle).toBeChecked();
    await toggle.click();
    await expect(toggle).not.toBeChecked();
    await page.reload();
    await expect(toggle).not.toBeChecked();
    await toggle.click();
    await expect(toggle).toBeChecked();
  });

  await test.step('an edit begins with what the rule says', async () => {
    await page.getByRole('button', { name: 'Edit rule Sprint board to #tasks' }).click();
    await expect(chosen(page, 'Database')).toContainText('Sprint board');
    await expect(chosen(page, 'Event Type')).toHaveText('Page Updated');
    await expect(page.getByRole('button', { name: 'Watched Properties' })).toContainText('Status');
    await tick(page, 'Status Filter', 'Done');
    await choose(page, 'Channel', 'build-log');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByRole('listitem', { name: 'Sprint board to #build-log' })).toContainText(
      'when the status is Done',
    );
  });

  await test.step('a deletion asks first', async () => {
    await page.getByRole('button', { name: 'Delete rule Sprint board to #build-log' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete Notification Rule' });
    await expect(dialog).toContainText(
      'Are you sure you want to delete this notification rule? This action cannot be undone.',
    );
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete rule Sprint board to #build-log' }).click();
    await dialog.getByRole('button', { name: 'Delete Rule' }).click();
    await expect(page.getByText('No rules yet')).toBeVisible();
  });
});

test('disconnecting the server takes its rules along', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/discord');
  await expect(page.getByText('Used in 1 rule', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Disconnect Server' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect Server' }).click();
  await expect(page.getByText('No Discord Server Connected')).toBeVisible();
  await page.goto('/rules');
  await expect(page.getByText('No rules yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'New Rule' })).toBeDisabled();
});
