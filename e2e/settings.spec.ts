import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { holdCalls, loseAnswers } from './journey';
import { Network } from './network';
import { connectBoth } from './shortcuts';

test('the settings show who is signed in, and link and unlink the installer', async ({ page, signIn }) => {
  await signIn('mira');
  await page.goto('/settings');
  await expect(page.getByRole('heading', { name: 'Account Settings', level: 1 })).toBeVisible();
  await expect(page.getByText('Manage your account and identity links', { exact: true })).toBeVisible();
  const information = page.getByRole('region', { name: 'Account Information' });
  await expect(information).toContainText('mira');
  await expect(information).toContainText('208917000000000101');
  await expect(information).toContainText('mira@lanternworks.example');
  const linking = page.getByRole('region', { name: 'Identity Linking' });
  const alert = linking.getByRole('alert');

  await test.step('nothing to link to yet', async () => {
    await expect(linking.getByText('Not Linked', { exact: true })).toBeVisible();
    await linking.getByRole('button', { name: 'Link Account' }).click();
    await expect(alert).toHaveText('Please connect a Notion workspace first.');
  });

  await connectBoth(page);
  await page.goto('/settings');

  await test.step('unlinking asks first', async () => {
    await expect(linking.getByText('Linked', { exact: true })).toBeVisible();
    await expect(linking).toContainText('Mira Castellan');
    await linking.getByRole('button', { name: 'Unlink Account' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Unlink Notion Account?' });
    await expect(dialog.getByRole('textbox')).toHaveCount(0);
    const unlink = await holdCalls(page, '**/api/app/notion/link?*');
    await dialog.getByRole('button', { name: 'Unlink Account' }).click();
    await expect(dialog.getByRole('button', { name: 'Unlinking...' })).toBeDisabled();
    unlink();
    await expect(linking.getByText('Not Linked', { exact: true })).toBeVisible();
    const link = await holdCalls(page, '**/api/app/notion/link-installer');
    await linking.getByRole('button', { name: 'Link Account' }).click();
    await expect(linking.getByRole('button', { name: 'Linking...' })).toBeDisabled();
    link();
    await expect(linking.getByText('Linked', { exact: true })).toBeVisible();
  });
});

test('without an e-mail the page says so, and a person who is not the installer learns how to request a link', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await control.becomeSomebodyElse();
  await page.goto('/settings');
  await expect(page.getByRole('region', { name: 'Account Information' })).toContainText('Not available');
  const linking = page.getByRole('region', { name: 'Identity Linking' });
  await linking.getByRole('button', { name: 'Link Account' }).click();
  await expect(linking.getByRole('alert')).toHaveText(
    'Run `/notion link-account` in Discord to request linking.',
  );
});

test('saving quiet hours keeps what another tab has saved meanwhile', async ({ page, signIn }) => {
  await signIn('mira');
  const other = await page.context().newPage();
  const cardOn = (tab: Page) => tab.getByRole('region', { name: 'Time and Quiet Hours' });
  const zoneOn = (tab: Page) => cardOn(tab).getByRole('combobox', { name: 'Time zone' });
  const saveOn = async (tab: Page) => {
    await cardOn(tab).getByRole('button', { name: 'Save' }).click();
    await expect(cardOn(tab).getByRole('status')).toHaveText('Saved. What waits now follows it.');
  };
  for (const tab of [page, other]) {
    await tab.goto('/settings');
    await expect(zoneOn(tab)).toBeVisible();
  }

  await test.step('a tab that is looked at again shows what is saved now', async () => {
    await zoneOn(other).selectOption('Europe/Berlin');
    await saveOn(other);
    await expect(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      await expect(zoneOn(page)).toHaveValue('Europe/Berlin', { timeout: 1000 });
    }).toPass();
  });

  await zoneOn(other).selectOption('Asia/Tokyo');
  await saveOn(other);
  await cardOn(page).getByRole('checkbox', { name: 'Quiet hours' }).click();
  await saveOn(page);
  await expect(zoneOn(page)).toHaveValue('Asia/Tokyo');
  await page.reload();
  await expect(zoneOn(page)).toHaveValue('Asia/Tokyo');
  await expect(cardOn(page).getByRole('checkbox', { name: 'Quiet hours' })).toBeChecked();

  await cardOn(page).getByLabel('From', { exact: true }).fill('21:00');
  await other.reload();
  await cardOn(other).getByLabel('Until', { exact: true }).fill('06:00');
  await saveOn(other);
  await saveOn(page);
  await expect(cardOn(page).getByLabel('Until', { exact: true })).toHaveValue('06:00');
  await expect(cardOn(page).getByLabel('From', { exact: true })).toHaveValue('21:00');
});

test('what is edited while the rest is saved stays, and is saved next', async ({ page, signIn }) => {
  await signIn('mira');
  await page.goto('/settings');
  const card = page.getByRole('region', { name: 'Time and Quiet Hours' });
  const zone = card.getByRole('combobox', { name: 'Time zone' });
  await card.getByRole('checkbox', { name: 'Quiet hours' }).click();
  const release = await holdCalls(page, '**/api/app/preferences');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(card.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  await zone.selectOption('Asia/Tokyo');
  release();
  await expect(card.getByRole('button', { name: 'Save' })).toBeEnabled();
  await expect(zone).toHaveValue('Asia/Tokyo');
  await expect(card.getByRole('status')).toHaveText('');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(card.getByRole('status')).toHaveText('Saved. What waits now follows it.');
  await page.reload();
  await expect(zone).toHaveValue('Asia/Tokyo');
  await expect(card.getByRole('checkbox', { name: 'Quiet hours' })).toBeChecked();
});

test('whoever leaves while preferences are saved goes on once they are, without a question', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await page.goto('/settings');
  const card = page.getByRole('region', { name: 'Time and Quiet Hours' });
  await card.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Tokyo');
  const release = await holdCalls(page, '**/api/app/preferences');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(card.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  await page.getByRole('link', { name: 'Rules', exact: true }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  release();
  await expect(page).toHaveURL('/rules');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await page.goto('/settings');
  await expect(card.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Asia/Tokyo');
});

test.describe('when the answer to Save is lost', () => {
  test.use({ expectedConsole: /ERR_CONNECTION_RESET|Failed to save preferences/ });

  test('nobody is told that nothing was saved', async ({ page, signIn }) => {
    await signIn('mira');
    await page.goto('/settings');
    const card = page.getByRole('region', { name: 'Time and Quiet Hours' });
    await card.getByRole('checkbox', { name: 'Quiet hours' }).click();
    await loseAnswers(page, '**/api/app/preferences');
    await card.getByRole('button', { name: 'Save' }).click();
    await expect(card.getByRole('alert')).toHaveText(
      'No answer came, so the preferences may be saved or not. What you entered is still here. Try again.',
    );
    await expect(card.getByRole('checkbox', { name: 'Quiet hours' })).toBeChecked();
    await page.unroute('**/api/app/preferences');
    await card.getByRole('button', { name: 'Save' }).click();
    await expect(card.getByRole('status')).toHaveText('Saved. What waits now follows it.');
  });
});

test('quiet hours that are not saved are not lost without a question', async ({ page, signIn }) => {
  await signIn('mira');
  await page.goto('/');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  const card = page.getByRole('region', { name: 'Time and Quiet Hours' });
  const quiet = card.getByRole('checkbox', { name: 'Quiet hours' });
  const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' });
  const rules = page.getByRole('link', { name: 'Rules', exact: true });
  await quiet.click();
  async function chooseInPalette(words: string, entry: string) {
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    await page.keyboard.press('Control+k');
    await expect(palette.getByRole('combobox')).toBeFocused();
    await page.keyboard.type(words);
    await expect(palette.getByRole('option', { selected: true })).toHaveText(entry);
    await page.keyboard.press('Enter');
  }
  async function pressKey() {
    await card.getByRole('heading').click();
    await page.keyboard.press('n');
  }
  const goToRules = () => chooseInPalette('rules', 'Rules');
  const logOutInPalette = () => chooseInPalette('logout', 'Logout');
  const logOut = () => page.getByRole('button', { name: 'Logout' }).click();
  const back = () => page.evaluate(() => window.history.back());
  for (const leave of [() => rules.click(), back, goToRules, pressKey, logOutInPalette, logOut]) {
    await leave();
    await expect(question).toHaveAccessibleDescription('Your time zone and quiet hours are not saved.');
    await inspect(page, 'settings discard question');
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect(question).toBeHidden();
    await expect(page).toHaveURL('/settings');
    await expect(quiet).toBeChecked();
  }
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();

  await rules.click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL('/rules');

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(quiet).not.toBeChecked();
  await quiet.click();
  await goToRules();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL('/rules');
  await expect(page.getByRole('main')).toBeFocused();

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await quiet.click();
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(card.getByRole('status')).toHaveText('Saved. What waits now follows it.');
  await rules.click();
  await expect(page).toHaveURL('/rules');
  await expect(question).toBeHidden();

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await quiet.click();
  await logOutInPalette();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
});

test('an account is deleted only for the exact word', async ({ page, signIn }) => {
  await signIn('mira');
  await page.goto('/settings');
  await page
    .getByRole('region', { name: 'Danger Zone' })
    .getByRole('button', { name: 'Delete Account' })
    .click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete Account' });
  const word = dialog.getByRole('textbox', { name: 'Type DELETE to confirm' });
  for (const typed of ['delete', 'DELETE ', 'DELET']) {
    await word.fill(typed);
    await expect(dialog.getByRole('button', { name: 'Delete Account' })).toBeDisabled();
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await expect(word).toHaveValue('');
});

test.describe('when something fails', () => {
  test.use({
    expectedConsole: /500|ERR_INTERNET_DISCONNECTED|Failed to fetch|Failed to (unlink|delete)/,
  });

  test('linking, unlinking and deleting say so where they were asked for', async ({
    page,
    signIn,
    control,
  }) => {
    await signIn('mira');
    await connectBoth(page);
    await page.goto('/settings');
    const linking = page.getByRole('region', { name: 'Identity Linking' });
    const dialog = page.getByRole('alertdialog');
    const network = await Network.of(page);

    await control.breakColumn('audit_entry', 'action');
    await linking.getByRole('button', { name: 'Unlink Account' }).click();
    await dialog.getByRole('button', { name: 'Unlink Account' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Failed to unlink Notion account');
    await network.cut();
    await dialog.getByRole('button', { name: 'Unlink Account' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Failed to unlink account');
    await network.restore();
    await control.restoreColumns();
    await dialog.getByRole('button', { name: 'Unlink Account' }).click();
    await expect(linking.getByText('Not Linked', { exact: true })).toBeVisible();

    await control.breakColumn('audit_entry', 'action');
    await linking.getByRole('button', { name: 'Link Account' }).click();
    await expect(linking.getByRole('alert')).toHaveText('Failed to link account');
    await control.restoreColumns();

    await control.breakColumn('trial', 'deleted_at');
    await page.getByRole('button', { name: 'Delete Account' }).click();
    await dialog.getByRole('textbox').fill('DELETE');
    await dialog.getByRole('button', { name: 'Delete Account' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Failed to delete account');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete Account' }).click();
    await expect(dialog.getByRole('alert')).toHaveCount(0);
  });
});

test.describe('when an answer is lost, or another tab was faster', () => {
  test.use({ expectedConsole: /ERR_CONNECTION_RESET|401|404|Failed to load app data/ });

  test('linking, unlinking and deleting are not called failed', async ({ page, signIn }) => {
    await signIn('mira');
    await connectBoth(page);
    await page.goto('/settings');
    const linking = page.getByRole('region', { name: 'Identity Linking' });
    const dialog = page.getByRole('alertdialog');
    await linking.getByRole('button', { name: 'Unlink Account' }).click();
    const other = await page.context().newPage();
    await other.goto('/settings');
    await other.getByRole('button', { name: 'Unlink Account' }).click();
    await other.getByRole('alertdialog').getByRole('button', { name: 'Unlink Account' }).click();
    await expect(other.getByText('Not Linked', { exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Unlink Account' }).click();
    await expect(dialog).toBeHidden();
    await expect(linking.getByText('Not Linked', { exact: true })).toBeVisible();
    await linking.getByRole('button', { name: 'Link Account' }).click();
    await expect(linking.getByText('Linked', { exact: true })).toBeVisible();

    await loseAnswers(page, '**/api/app/{account,notion/*}');
    await linking.getByRole('button', { name: 'Unlink Account' }).click();
    await dialog.getByRole('button', { name: 'Unlink Account' }).click();
    await expect(dialog).toBeHidden();
    await expect(linking.getByText('Not Linked', { exact: true })).toBeVisible();

    await linking.getByRole('button', { name: 'Link Account' }).click();
    await expect(linking.getByText('Linked', { exact: true })).toBeVisible();
    await expect(linking.getByRole('alert')).toHaveCount(0);

    await page.getByRole('button', { name: 'Delete Account' }).click();
    await dialog.getByRole('textbox').fill('DELETE');
    await dialog.getByRole('button', { name: 'Delete Account' }).click();
    await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
  });
});

test.describe('the file of an account', () => {
  test.use({ expectedConsole: /429|Failed to download/ });

  test('everything that is stored is downloaded as one file', async ({ page, signIn }) => {
    await signIn('mira');
    await connectBoth(page);
    await page.goto('/settings');
    const data = page.getByRole('region', { name: 'Your Data' });
    const arriving = page.waitForEvent('download');
    await data.getByRole('button', { name: 'Download' }).click();
    const file = await arriving;
    expect(file.suggestedFilename()).toBe('pagewire-account.json');
    const content = JSON.parse(readFileSync(await file.path(), 'utf8'));
    expect(content).toMatchObject({
      account: [{ email: 'mira@lanternworks.example' }],
      discord_server: [{ name: 'Lantern Works' }],
    });
    expect(content.notion_workspace[0]).not.toHaveProperty('sealed_tokens');
    for (let more = 0; more < 3; more += 1) {
      await expect(data.getByRole('button', { name: 'Download' })).toBeEnabled();
      await data.getByRole('button', { name: 'Download' }).click();
    }
    await expect(data.getByRole('alert')).toContainText('Failed to download your data. Too many requests.');
  });
});
