import type { Route } from '@playwright/test';
import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { choose, chosen, holdCalls, tick } from './journey';
import { titleInHistory } from './long-history';
import { connectBoth, createRule } from './shortcuts';

test.use({
  expectedConsole:
    /40[49]|50[02]|ERR_CONNECTION_RESET|Failed to (fetch|load database properties|(save|duplicate|toggle|delete) rule|(im|ex)port rules)/,
});

test('a failure is told beside what was pressed, and the switch shows the true state', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  const logged = (text: string) => page.waitForEvent('console', (line) => line.text().includes(text));
  const toggle = page.getByRole('switch', { name: 'Enable Sprint board to #tasks' });
  await control.breakColumn('audit_entry', 'action');

  const toggled = logged('Failed to toggle rule');
  await toggle.click();
  await toggled;
  await expect(toggle).toBeChecked();
  await expect(page.getByText('The rule was not switched. Try again.')).toBeVisible();

  const deleted = logged('Failed to delete rule');
  await page.getByRole('button', { name: 'Delete rule Sprint board to #tasks' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Rule' }).click();
  await deleted;
  await expect(page.getByRole('alertdialog')).toContainText('The rule was not deleted. Try again.');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('listitem', { name: 'Sprint board to #tasks' })).toBeVisible();

  const saved = logged('Failed to save rule');
  await page.getByRole('button', { name: 'Edit rule Sprint board to #tasks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Notification Rule' });
  await dialog.getByRole('button', { name: 'More', exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Size' }).focus();
  const save = dialog.getByRole('button', { name: 'Save Changes' });
  await save.click();
  await saved;
  const alert = dialog.getByRole('alert');
  await expect(alert).toHaveText('The rule was not saved. What you entered is still here. Try again.');
  await expect(alert).toBeInViewport();
  await expect(save).toBeFocused();
  await inspect(page, 'rule dialog not saved');

  const release = await holdCalls(page, '**/api/app/rules/*');
  const savedAgain = logged('Failed to save rule');
  await save.dblclick();
  release();
  await savedAgain;
  await expect(dialog.getByRole('button', { name: 'Save Changes' })).toBeFocused();
});

test('a change whose answer was lost is told as such, and made once', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/rules');
  const logged = (text: string) => page.waitForEvent('console', (line) => line.text().includes(text));
  const listed = page.getByRole('list', { name: 'Rules' }).getByRole('listitem');
  const saved: unknown[] = [];
  const loseAnswer = async (route: Route) => {
    if (route.request().method() === 'GET') return route.fallback();
    saved.push((await route.fetch()).status());
    await route.abort('connectionreset');
  };

  await page.getByRole('button', { name: 'Create First Rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Notification Rule' });
  await choose(page, 'Database', 'Sprint board');
  await choose(page, 'Event Type', 'Page Updated');
  await tick(page, 'Watched Properties', 'Status');
  await choose(page, 'Channel', 'tasks');
  await page.route('**/api/app/rules?*', loseAnswer);
  const failed = logged('Failed to save rule');
  await dialog.getByRole('button', { name: 'Create Rule' }).click();
  await failed;
  await expect(dialog.getByRole('alert')).toHaveText(
    'No answer came, so the rule may be saved or not. What you entered is still here. Try again: it is saved only once.',
  );
  // The list behind the dialog has it by now, and it is not taken for another rule that does the same.
  await expect(page.getByRole('img', { name: '1 of 10 rules used', includeHidden: true })).toBeVisible();
  await expect(dialog.getByText('A rule does this already')).toHaveCount(0);
  await inspect(page, 'rule dialog without an answer');
  await page.unroute('**/api/app/rules?*');
  await choose(page, 'Channel', 'build-log');
  await dialog.getByRole('button', { name: 'Create Rule' }).click();
  await expect(dialog).toBeHidden();
  await expect(listed).toHaveCount(1);
  await expect(listed).toHaveAccessibleName('Sprint board to #build-log');

  await page.route('**/api/app/rules/**', loseAnswer);
  const copied = logged('Failed to duplicate rule');
  const duplicate = page.getByRole('button', { name: 'Duplicate rule Sprint board to #build-log' }).last();
  await duplicate.click();
  await copied;
  await expect(listed.last().getByRole('alert')).toHaveText(
    'No answer came, so there may be a copy or not. Try again if none appears: it is copied only once.',
  );
  await expect(listed).toHaveCount(2);
  await inspect(page, 'rules without an answer');
  await page.unroute('**/api/app/rules/**');
  await duplicate.click();
  await expect(listed.last().getByRole('alert')).toHaveCount(0);
  await expect(listed).toHaveCount(2);

  await page.route('**/api/app/rules/**', loseAnswer);
  const switched = logged('Failed to toggle rule');
  const toggle = listed.last().getByRole('switch');
  await toggle.click();
  await switched;
  await expect(listed.last().getByRole('alert')).toHaveText(
    'No answer came, so the rule may be switched or not. Try again if its switch does not show what you want.',
  );
  await expect(toggle).not.toBeChecked();

  const deleted = logged('Failed to delete rule');
  await listed
    .last()
    .getByRole('button', { name: /^Delete rule/ })
    .click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Delete Rule' }).click();
  await deleted;
  await expect(question.getByRole('alert')).toHaveText(
    'No answer came, so the rule may be deleted or not. Try again.',
  );
  await page.unroute('**/api/app/rules/**');
  await question.getByRole('button', { name: 'Delete Rule' }).click();
  await expect(question).toBeHidden();
  await expect(listed).toHaveCount(1);
  expect(saved).toEqual([201, 201, 200, 200]);
});

test('what a captive portal or a proxy says is no answer, so nothing looks done', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  const row = page.getByRole('listitem', { name: 'Sprint board to #tasks' });
  await page.route('**/api/app/rules/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Sign in to this network</h1>' }),
  );

  const toggle = row.getByRole('switch');
  await toggle.click();
  await expect(row.getByRole('alert')).toContainText('No answer came');
  await expect(toggle).toBeChecked();

  await row.getByRole('button', { name: /^Delete rule/ }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Delete Rule' }).click();
  await expect(question.getByRole('alert')).toContainText('No answer came');
  await page.route('**/api/app/rules/*', (route) => route.fulfill({ status: 404, body: 'no server' }), {
    times: 1,
  });
  await question.getByRole('button', { name: 'Delete Rule' }).click();
  await expect(question.getByRole('alert')).toHaveText('The rule was not deleted. Try again.');
  await question.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Export all rules' }).click();
  await expect(page.getByText('The rules were not exported. Try again.')).toBeVisible();

  await row.getByRole('button', { name: /^Edit rule/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Notification Rule' });
  await choose(page, 'Channel', 'build-log');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog.getByRole('alert')).toContainText('No answer came, so the rule may be saved or not.');
  await expect(chosen(page, 'Channel')).toHaveText(/build-log/);
});

test('whoever edits a rule that is deleted meanwhile reads that', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  await page.getByRole('button', { name: /^Edit rule/ }).click();
  await choose(page, 'Channel', 'build-log');
  const other = await page.context().newPage();
  await other.goto('/rules');
  await other.getByRole('button', { name: /^Delete rule/ }).click();
  await other.getByRole('button', { name: 'Delete Rule', exact: true }).click();
  await expect(other.getByText('No rules yet')).toBeVisible();
  await other.close();
  const dialog = page.getByRole('dialog', { name: 'Edit Notification Rule' });
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'This rule was deleted meanwhile, so it cannot be saved. What you entered is still here: use it for a new rule.',
  );
  await expect(chosen(page, 'Channel')).toContainText('build-log');
});

test('a form stays when its server is disconnected in another tab', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/rules');
  await page.getByRole('button', { name: 'New Rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Notification Rule' });
  await choose(page, 'Database', 'Sprint board');
  await choose(page, 'Channel', 'build-log');
  const other = await page.context().newPage();
  await other.goto('/discord');
  await other.getByRole('button', { name: 'Disconnect Server' }).click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Disconnect Server' }).click();
  await expect(other.getByText('No Discord Server Connected')).toBeVisible();
  await other.close();
  await expect(page.getByText('Setup Required')).toBeAttached();
  await expect(chosen(page, 'Channel')).toHaveText(/build-log/);
  await dialog.getByRole('button', { name: 'Create Rule' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('No Discord server is connected.');
  await inspect(page, 'rule dialog without its server');
});

test('whoever reads the log of a rule that is deleted meanwhile reads that', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await control.addHistory(3);
  await page.goto('/rules');
  await page.getByRole('button', { name: /^Recent deliveries/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Sprint board → #tasks' });
  const entry = sheet.getByText(titleInHistory(2));
  await expect(entry).toBeVisible();
  const other = await page.context().newPage();
  await other.goto('/rules');
  await other.getByRole('button', { name: /^Delete rule/ }).click();
  await other.getByRole('button', { name: 'Delete Rule', exact: true }).click();
  await expect(other.getByText('No rules yet')).toBeVisible();
  await other.close();
  await expect(sheet.getByRole('status').filter({ hasText: /./ })).toHaveText([
    'This rule was deleted meanwhile, and its log with it.',
  ]);
  await sheet.getByRole('button', { name: 'Posted', exact: true }).click();
  await expect(entry).toBeHidden();
  await expect(sheet.getByRole('alert')).toHaveCount(0);
});

test('whoever edits a rule that is changed elsewhere meanwhile reads that before they save', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  await page.getByRole('button', { name: /^Edit rule/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Notification Rule' });
  const warning = dialog.getByText(
    'This rule was changed elsewhere since you opened it. Saving replaces that with what is here.',
  );
  const other = await page.context().newPage();
  await other.goto('/rules');
  await other.getByRole('switch').click();
  await expect(other.getByRole('switch')).not.toBeChecked();
  await expect(page.locator('[role=switch]')).not.toBeChecked();
  await expect(warning).toBeHidden();
  await other.getByRole('button', { name: /^Edit rule/ }).click();
  await choose(other, 'Channel', 'build-log');
  await other.getByRole('button', { name: 'Save Changes' }).click();
  await expect(other.getByRole('listitem', { name: 'Sprint board to #build-log' })).toBeVisible();
  await other.close();
  await expect(warning).toBeVisible();
  await inspect(page, 'rule dialog outdated');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('listitem', { name: 'Sprint board to #tasks' })).toBeVisible();
});

test('a call that gets no answer ends, and what was entered is saved next', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  await page.getByRole('button', { name: /^Edit rule/ }).click();
  await choose(page, 'Channel', 'build-log');
  const dialog = page.getByRole('dialog', { name: 'Edit Notification Rule' });
  const asked = '**/api/app/rules/test';
  for (const giveNone of [
    (route: Route) => route.abort('connectionreset'),
    (route: Route) => route.fulfill({ body: '' }),
  ]) {
    await page.route(asked, giveNone);
    const sent = page.waitForRequest(asked);
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await sent;
    await expect(dialog.getByRole('region', { name: 'Preview' }).getByRole('alert')).toHaveText(
      'No answer came, so the test may be in the channel or not. Look there before you send another.',
    );
    await page.unroute(asked);
  }

  await page.route('**/api/app/rules/*', () => {});
  const waitBriefly = (isBrief: boolean) =>
    page.evaluate((brief) => document.body.toggleAttribute('data-brief', brief), isBrief);
  await page.evaluate(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(document.body.hasAttribute('data-brief') ? ms / 100 : ms);
  });
  await waitBriefly(true);
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog.getByRole('alert').last()).toHaveText(
    'No answer came, so the rule may be saved or not. What you entered is still here. Try again: it is saved only once.',
  );
  await page.unroute('**/api/app/rules/*');
  await waitBriefly(false);
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('listitem', { name: 'Sprint board to #build-log' })).toBeVisible();
});

test('an import says what it waits for, and is made once although its answer was lost', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  const listed = page.getByRole('list', { name: 'Rules' }).getByRole('listitem');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export all rules' }).click();
  const path = await (await saved).path();
  await page.getByRole('button', { name: 'Import rules' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import Rules' });
  const field = dialog.getByLabel('File');
  const status = dialog.getByRole('status');

  const picture = { name: 'rules.json', mimeType: 'application/json', buffer: Buffer.from('GIF89a') };
  await field.setInputFiles(picture);
  await expect(dialog.getByRole('alert')).toHaveText(
    'This file is not JSON, so it is not an export of rules.',
  );

  const release = await holdCalls(page, '**/api/app/rules/import');
  await field.setInputFiles(path);
  await expect(status).toHaveText('Looking at what fits...');
  release();
  await expect(status).toHaveText('Every rule of this file exists already: Sprint board → #tasks.');
  await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
  const again = dialog.getByLabel('Also import rules that exist already');
  await again.check();
  await expect(status).toContainText('Everything in this file fits.');

  await test.step('a file that is chosen again is looked at again', async () => {
    const chooser = page.waitForEvent('filechooser');
    await field.click();
    await expect(field).toHaveValue('');
    await expect(dialog.getByRole('list')).toHaveCount(0);
    await (await chooser).setFiles(path);
    await again.check();
    await expect(dialog.getByRole('listitem')).toHaveText('Sprint board → #tasksA rule does this already.');
  });

  await page.route('**/api/app/rules/import?*', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await dialog.getByRole('button', { name: 'Import 1 rule' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'No answer came, so the rules may be imported or not. Try again: they are imported only once.',
  );
  await expect(page.getByRole('img', { name: '2 of 10 rules used', includeHidden: true })).toBeVisible();
  await page.unroute('**/api/app/rules/import?*');
  await dialog.getByRole('button', { name: 'Import 1 rule' }).click();
  await expect(dialog).toBeHidden();
  await expect(listed).toHaveCount(2);

  await test.step('what no longer fits is shown', async () => {
    await page.getByRole('button', { name: 'Import rules' }).click();
    await field.setInputFiles(path);
    await again.check();
    await expect(dialog.getByRole('button', { name: 'Import 1 rule' })).toBeEnabled();
    for (let more = 0; more < 8; more += 1) await createRule(page);
    await dialog.getByRole('button', { name: 'Import 1 rule' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Nothing was imported: not all rules fit.');
    await expect(dialog.getByRole('listitem')).toContainText('Your plan has 10 rules');
    await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
  });
});

test('a form without the properties says so, and reads them again', async ({ page, signIn, control }) => {
  await signIn('mira');
  await connectBoth(page);
  await page.goto('/rules');
  await control.fault({ target: 'notion', kind: 'fail', status: 503, times: 0 });
  await page.getByRole('button', { name: 'New Rule' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toContainText(
    'Failed to load database properties. Some fields may not be available.',
  );
  await expect(dialog.getByRole('button', { name: 'Displayed Fields' })).toBeDisabled();
  await control.clearFaults();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByRole('button', { name: 'Displayed Fields' })).toBeEnabled();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
});
