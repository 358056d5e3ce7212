import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { choose, chosen, createRuleOnPage, denyPosting, holdCalls, tick } from './journey';
import { connectBoth, createRule } from './shortcuts';

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
    const watched = page.getByRole('button', { name: 'Watched Properties' });
    await expect(watched).toBeFocused();
    await expect(watched).toHaveAttribute('aria-invalid', 'true');
    await expect(watched).toHaveAccessibleDescription(/^Choose at least one\./);
    await expect(page.getByRole('combobox', { name: 'Channel' })).not.toContainText('announcements');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  await createRuleOnPage(page);
  await expect(page.getByText('TASK DB')).toBeVisible();
  await expect(page.getByText('Page Updated')).toBeVisible();

  await test.step('the switch holds', async () => {
    const toggle = page.getByRole('switch', { name: 'Enable Sprint board to #tasks' });
    await expect(toggle).toBeChecked();
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    await toggle.click();
    await expect(toggle).not.toBeChecked();
    await saved;
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
      'Status changes to Done',
    );
  });

  await test.step('a deletion asks first', async () => {
    await page.getByRole('button', { name: 'Delete rule Sprint board to #build-log' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete Notification Rule' });
    await expect(dialog).toContainText(
      'Are you sure you want to delete this notification rule? This action cannot be undone.',
    );
    await expect(dialog).toHaveAccessibleDescription(/^Sprint board → #build-log Are you sure/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete rule Sprint board to #build-log' }).click();
    await dialog.getByRole('button', { name: 'Delete Rule' }).click();
    await expect(page.getByText('No rules yet')).toBeVisible();
  });
});

test('what is missing has the focus, although its options are still being read', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  const goOn = await holdCalls(page, '**/api/app/notion/databases/*/properties');
  await page.goto('/rules?new=1');
  await choose(page, 'Event Type', 'Page Updated');
  await page.getByRole('button', { name: 'Create Rule' }).click();
  const watched = page.getByRole('button', { name: 'Watched Properties' });
  await expect(watched).toBeFocused();
  await expect(watched).toBeDisabled();
  goOn();
  await expect(watched).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('checkbox', { name: 'Severity' })).toBeVisible();
});

test('what was entered in the form is not lost without a question', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/');
  const form = page.getByRole('dialog', { name: 'Create Notification Rule' });
  const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' });
  const createRule = page
    .getByRole('region', { name: 'Quick Actions' })
    .getByRole('link', { name: 'Create Rule' });
  const back = () => page.evaluate(() => window.history.back());

  await test.step('Create Rule on Home opens it, and an untouched one closes at once', async () => {
    await createRule.click();
    await expect(form).toBeVisible();
    await expect(page).toHaveURL('/rules');
    await page.keyboard.press('Escape');
    await expect(form).toBeHidden();
    await page.getByRole('button', { name: 'New Rule' }).click();
    await back();
    await expect(page).toHaveURL('/');
    await expect(form).toBeHidden();
  });

  await createRule.click();
  await choose(page, 'Database', 'Sprint board');
  await form.getByRole('heading', { name: 'Create Notification Rule' }).click();
  for (const [how, leave] of [
    ['Escape', () => page.keyboard.press('Escape')],
    ['a click outside', () => page.mouse.click(5, 5)],
    ['Close', () => form.getByRole('button', { name: 'Close' }).click()],
    ['Cancel', () => form.getByRole('button', { name: 'Cancel' }).click()],
    ['Back', back],
  ] as const) {
    await test.step(how, async () => {
      await leave();
      await expect(question).toHaveAccessibleDescription('This rule is not created yet.');
      if (how === 'Escape') await inspect(page, 'rules discard question');
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await expect(question).toBeHidden();
      await expect(page).toHaveURL('/rules');
      await expect(chosen(page, 'Database')).toContainText('Sprint board');
    });
  }

  await test.step('Escape again and again, which closes several dialogs at once', async () => {
    for (let times = 1; times <= 8; times += 1) {
      await page.keyboard.press('Escape');
      // The page has handled what it was told of that key.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
      if (await question.isVisible()) {
        await expect(question.getByRole('button', { name: 'Keep editing' }), `${times}`).toBeFocused();
      }
    }
    await expect(form).toBeVisible();
    if (await question.isVisible()) await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect(chosen(page, 'Database')).toContainText('Sprint board');
  });

  await test.step('closing the tab', async () => {
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await expect(chosen(page, 'Database')).toContainText('Sprint board');
  });

  await test.step('Discard goes on where Back leads', async () => {
    await back();
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect(page).toHaveURL('/');
    await expect(form).toBeHidden();
  });

  await test.step('what is saved is not asked about', async () => {
    await createRule.click();
    await choose(page, 'Database', 'Sprint board');
    await form.getByRole('button', { name: 'Create Rule' }).click();
    const rule = page.getByRole('listitem', { name: 'Sprint board to #general' });
    await expect(rule).toBeVisible();
    await rule.getByRole('button', { name: /^Edit rule/ }).click();
    await choose(page, 'Channel', 'tasks');
    let dialogs = 0;
    page.on('dialog', (dialog) => {
      dialogs += 1;
      void dialog.accept();
    });
    const release = await holdCalls(page, '**/api/app/rules/*');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    // What is entered while it is being saved would be lost without a question.
    await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
    await expect(page.locator('[inert]').getByRole('combobox', { name: 'Channel' })).toBeVisible();
    release();
    await expect(page.getByRole('listitem', { name: 'Sprint board to #tasks' })).toBeVisible();
    expect(dialogs).toBe(0);
  });
});

test.describe('whoever goes back while a rule is saved', () => {
  test.use({ expectedConsole: /503|Failed to save rule/ });

  test('goes on once it is, and is asked only when it was not saved', async ({ page, signIn }) => {
    await signIn('mira');
    await connectBoth(page);
    await page.goto('/');
    const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' });
    const form = page.getByRole('dialog', { name: /Notification Rule$/ });
    const rules = page.getByRole('link', { name: 'Rules', exact: true });
    const saveAndGoBack = async (button: string, answer?: Parameters<typeof holdCalls>[2]) => {
      const release = await holdCalls(page, /\/api\/app\/rules(\/[^/]+|\?.*)$/, answer);
      await form.getByRole('button', { name: button }).click();
      await expect(form.getByRole('button', { name: 'Saving...' })).toBeDisabled();
      await page.evaluate(() => window.history.back());
      await expect(question).toBeHidden();
      release();
    };

    await rules.click();
    await page.getByRole('button', { name: 'New Rule' }).click();
    await choose(page, 'Database', 'Sprint board');
    await saveAndGoBack('Create Rule', (route) => route.fulfill({ status: 503, json: {} }));
    await expect(question).toBeVisible();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await page.unroute(/\/api\/app\/rules(\/[^/]+|\?.*)$/);
    await saveAndGoBack('Create Rule');
    await expect(page).toHaveURL('/');
    await expect(form).toBeHidden();

    await rules.click();
    await page.getByRole('button', { name: 'Edit rule Sprint board to #general' }).click();
    await choose(page, 'Channel', 'tasks');
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await saveAndGoBack('Save Changes');
    await expect(page).toHaveURL('/');
    await rules.click();
    await expect(page.getByRole('listitem', { name: 'Sprint board to #tasks' })).toBeVisible();
    expect(loads).toBe(0);
  });
});

test('a second rule that does the same is warned about, and not refused', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  await page.getByRole('button', { name: 'New Rule' }).click();
  const warning = page
    .getByRole('dialog')
    .getByRole('status')
    .filter({ hasText: 'A rule does this already' });
  await choose(page, 'Database', 'Sprint board');
  await choose(page, 'Event Type', 'Page Updated');
  await tick(page, 'Watched Properties', 'Status');
  await expect(warning).toHaveCount(0);
  await choose(page, 'Channel', 'tasks');
  await expect(warning).toHaveText(
    'A rule does this already: Sprint board: Status changes → #tasks. With both on, each card is posted twice.',
  );
  await page.getByRole('button', { name: 'Create Rule' }).click();
  await expect(page.getByRole('listitem', { name: 'Sprint board to #tasks' })).toHaveCount(2);
});

test('after a deletion, here or in another tab, the focus is in the next row, and at last on the page', async ({
  page,
  context,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  for (let made = 0; made < 4; made += 1) await createRule(page);
  const other = await context.newPage();
  await other.goto('/rules');
  await page.goto('/rules');
  const rows = page.getByRole('list', { name: 'Rules' }).getByRole('listitem');
  await expect(rows).toHaveCount(4);
  const idOf = async (at: number) => (await rows.nth(at).getAttribute('data-row')) ?? '';
  const ids = [await idOf(0), await idOf(1), await idOf(2), await idOf(3)] as const;
  const deleteRow = async (id: string, tab = page) => {
    await tab
      .locator(`[data-row="${id}"]`)
      .getByRole('button', { name: /^Delete rule/ })
      .click();
    await tab.getByRole('alertdialog').getByRole('button', { name: 'Delete Rule' }).click();
  };
  const focusedRow = () => rows.filter({ has: page.locator(':focus') });
  await deleteRow(ids[0]);
  await expect(rows).toHaveCount(3);
  await expect(focusedRow()).toHaveAttribute('data-row', ids[1]);
  await expect(page.getByRole('status').filter({ hasText: /^3 rules$/ })).toBeAttached();
  await deleteRow(ids[1], other);
  await expect(rows).toHaveCount(2);
  await expect(focusedRow()).toHaveAttribute('data-row', ids[2]);
  await deleteRow(ids[3]);
  await expect(rows).toHaveCount(1);
  await expect(focusedRow()).toHaveAttribute('data-row', ids[2]);
  await rows.getByRole('button', { name: /^Edit rule/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await deleteRow(ids[2], other);
  await expect(page.getByText('No rules yet')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('main')).toBeFocused();
});

test('a rule whose channel refuses the bot cannot be saved, and says which', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await denyPosting(control, true);
  await page.goto('/rules');
  await page.getByRole('button', { name: 'Edit rule Sprint board to #tasks' }).click();
  const save = page.getByRole('button', { name: 'Save Changes' });
  await expect(save).toBeDisabled();
  await expect(save).toHaveAccessibleDescription(
    /^The bot has no access to #tasks\. Send Messages is denied/,
  );
  const channel = page.getByRole('combobox', { name: 'Channel' });
  await expect(channel).toHaveAttribute('aria-invalid', 'true');
  await expect(channel).toHaveAccessibleDescription(/^The bot has no access to #tasks/);
  await choose(page, 'Channel', 'bugs');
  await expect(save).toBeEnabled();
});

test('disconnecting the server deletes its rules', async ({ page, signIn }) => {
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

test('a press on the text of an option chooses it, and the list stays open', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/rules');
  await page.getByRole('button', { name: 'New Rule' }).click();
  await choose(page, 'Database', 'Sprint board');
  await choose(page, 'Event Type', 'Page Updated');
  await page.getByRole('button', { name: 'Watched Properties' }).click();
  const list = page.getByRole('group', { name: 'Watched Properties' });
  await list.getByText('Status', { exact: true }).click();
  await expect(list.getByRole('checkbox', { name: 'Status' })).toBeChecked();
  await expect(list).toBeVisible();
});

test('a new rule begins with the first database, the first accessible channel and a created page', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await page.goto('/rules');
  await expect(page.getByRole('heading', { name: 'Notification Rules', level: 1 })).toBeVisible();
  await expect(page.getByRole('note').filter({ hasText: 'Setup Required' })).toContainText(
    'Connect a Discord server and a Notion workspace to create notification rules.',
  );
  await expect(page.getByRole('button', { name: 'New Rule' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Create First Rule' })).toBeDisabled();
  await connectBoth(page);
  await page.goto('/rules');
  await page.getByRole('button', { name: 'New Rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Notification Rule' });
  await expect(chosen(page, 'Database')).toContainText('Bug reports');
  await expect(chosen(page, 'Event Type')).toHaveText('Page Created');
  await expect(chosen(page, 'Channel')).toContainText('general');

  await test.step('another database clears what was chosen for the first', async () => {
    await choose(page, 'Event Type', 'Page Updated');
    await tick(page, 'Watched Properties', 'State');
    await expect(dialog.getByRole('button', { name: 'Status Filter' })).toBeVisible();
    await choose(page, 'Database', 'Sprint board');
    await expect(dialog.getByRole('button', { name: 'Status Filter' })).toHaveCount(0);
    await expect(dialog.getByRole('button', { name: 'Watched Properties' })).toContainText(
      'Select properties',
    );
    await choose(page, 'Event Type', 'Page Created');
  });

  await dialog.getByRole('button', { name: 'Create Rule' }).click();
  const rule = page.getByRole('listitem', { name: 'Sprint board to #general' });
  await expect(rule.getByText('TASK DB', { exact: true })).toBeVisible();
  await expect(rule.getByText('Page Created', { exact: true })).toBeVisible();
  await expect(page.getByRole('img', { name: '1 of 10 rules used' })).toHaveText('1/10');
});
