import type { Browser, Page } from '@playwright/test';
import { PEOPLE } from '../sandbox/people';
import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { alertOn, guildId, loseAnswers } from './journey';
import type { ProductControl } from './product-control';
import { signIn } from './shortcuts';

const JONAS = PEOPLE.find(({ key }) => key === 'jonas')?.discordId;

async function addBot(page: Page, person: string, server = 'Lantern Works'): Promise<void> {
  await page.getByRole('button', { name: 'Add Bot to Discord Server' }).click();
  await page.getByRole('link', { name: person }).click();
  await page.getByLabel('Add to server').selectOption(server);
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.waitForURL((url) => url.pathname === '/setup');
}

/** Jonas has connected Lantern Works and is no longer a lead. Mira finds it taken, in her own browser. */
async function findJonasServer(page: Page, browser: Browser, control: ProductControl): Promise<Page> {
  await page.goto('/setup');
  await addBot(page, 'Jonas Brandt');
  await expect(page.getByText('Connected to 1 server', { exact: true })).toBeVisible();
  const jonas = `/_sandbox/discord/guilds/${await guildId(control, 'Lantern Works')}/members/${JONAS}`;
  await control.call('discord', 'PUT', jonas, { roles: [] });

  const mira = await (await browser.newContext({ baseURL: control.product.appUrl })).newPage();
  await signIn(mira, 'mira');
  await mira.goto('/setup');
  await addBot(mira, 'Mira Castellan');
  await expect(alertOn(mira)).toHaveText(
    'OAuth failed: That server is already connected to another Pagewire account.',
  );
  await expect(mira.getByText('Lantern Works belongs to another account')).toBeVisible();
  return mira;
}

async function askForJonasServer(page: Page, browser: Browser, control: ProductControl): Promise<Page> {
  const mira = await findJonasServer(page, browser, control);
  await inspect(mira, 'setup taken');
  await mira.getByRole('button', { name: 'Ask to take over' }).click();
  await expect(mira.getByText('You asked for Lantern Works')).toBeVisible();
  await expect(mira.getByRole('main')).toBeFocused();
  await mira.goto('/setup');
  await expect(mira.getByText(/^Asked on .* The holder has until .* to answer\./)).toBeVisible();
  return mira;
}

test('whoever lost their server asks for it, and its holder keeps it with the button in Discord', async ({
  page,
  browser,
  openDiscord,
  control,
}) => {
  await signIn(page, 'jonas');
  const mira = await askForJonasServer(page, browser, control);
  await inspect(mira, 'setup asked');
  await mira.goto('/discord');
  await expect(mira.getByText('You asked for Lantern Works')).toBeVisible();
  await inspect(mira, 'discord asked');

  const notice = page.getByRole('note').filter({ hasText: 'mira asks for Lantern Works' });
  for (const path of ['/', '/discord']) {
    await page.goto(path);
    await expect(notice.getByRole('button', { name: 'Keep it' })).toBeVisible();
    await inspect(page, `${path === '/' ? 'home' : 'discord'} of the holder`);
  }
  await notice.getByRole('button', { name: 'Hand it over' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('All your rules for it will be deleted.');
  await inspect(page, 'hand over');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  const discord = await openDiscord('jonas');
  await discord.getByRole('link', { name: 'Direct messages' }).click();
  await expect(discord.getByText('asks to have it in their Pagewire account')).toBeVisible();
  await discord.getByRole('button', { name: 'Keep it' }).click();
  await expect(discord.getByText('You keep Lantern Works.')).toBeVisible();
  await expect(discord.getByRole('button', { name: 'Hand it over' })).toHaveCount(0);

  await mira.reload();
  await expect(mira.getByText('Lantern Works stays where it is')).toBeVisible();
  await inspect(mira, 'discord kept');
  await page.reload();
  await expect(page.getByRole('region', { name: 'Connected server' })).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('a holder hands the server over on the dashboard, and it is connected to whoever asked', async ({
  page,
  browser,
  control,
}) => {
  await signIn(page, 'jonas');
  const mira = await askForJonasServer(page, browser, control);
  await page.goto('/discord');
  await page.getByRole('button', { name: 'Hand it over' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Hand it over' }).click();
  await expect(page.getByRole('heading', { name: 'No Discord Server Connected' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await mira.goto('/setup');
  await expect(mira.getByText('Connected to 1 server', { exact: true })).toBeVisible();
});

test.describe('when the answer to a decision is lost', () => {
  test.use({ expectedConsole: /ERR_CONNECTION_RESET/ });

  test('asking and handing over are not called failed', async ({ page, browser, control }) => {
    await signIn(page, 'jonas');
    const mira = await findJonasServer(page, browser, control);
    await loseAnswers(mira, '**/api/app/discord/takeovers/**');
    await loseAnswers(page, '**/api/app/discord/takeovers/**');
    await mira.getByRole('button', { name: 'Ask to take over' }).click();
    await expect(mira.getByText('You asked for Lantern Works')).toBeVisible();
    await expect(alertOn(mira).filter({ hasText: 'Failed to ask' })).toHaveCount(0);
    await page.goto('/discord');
    await page.getByRole('button', { name: 'Hand it over' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Hand it over' }).click();
    await expect(page.getByRole('heading', { name: 'No Discord Server Connected' })).toBeVisible();
  });
});

test('a server whose holder is silent for seven days is taken over by adding the bot again', async ({
  page,
  browser,
  control,
}) => {
  await signIn(page, 'jonas');
  const mira = await askForJonasServer(page, browser, control);
  await control.passDays(8);
  await mira.goto('/setup');
  await expect(mira.getByText('Lantern Works can be yours now')).toBeVisible();
  await inspect(mira, 'setup due');
  await page.goto('/discord');
  await expect(page.getByText('Seven days have passed without your answer')).toBeVisible();
  await inspect(page, 'discord of the holder when due');
  await addBot(mira, 'Mira Castellan');
  await expect(mira.getByText('Connected to 1 server', { exact: true })).toBeVisible();
  await page.goto('/discord');
  await expect(page.getByRole('heading', { name: 'No Discord Server Connected' })).toBeVisible();
});

test('a server whose holder still manages it is not asked for, and the reason shows', async ({
  page,
  browser,
  control,
}) => {
  await signIn(page, 'jonas');
  const mira = await findJonasServer(page, browser, control);
  const jonas = `/_sandbox/discord/guilds/${await guildId(control, 'Lantern Works')}/members/${JONAS}`;
  await control.call('discord', 'PUT', jonas, { roles: ['Leads'] });
  await mira.getByRole('button', { name: 'Ask to take over' }).click();
  await expect(mira.getByText('Whoever connected Lantern Works still manages it')).toBeVisible();
  await inspect(mira, 'setup refused');
});

test('a request that Discord delays, and a hand-over that has to wait, show on both sides', async ({
  page,
  browser,
  control,
}) => {
  await signIn(page, 'jonas');
  const mira = await findJonasServer(page, browser, control);
  await control.fault({
    target: 'discord',
    kind: 'fail',
    match: '/users/@me/channels$',
    times: 0,
    status: 500,
  });
  await mira.getByRole('button', { name: 'Ask to take over' }).click();
  await expect(mira.getByText('The bot is writing to whoever connected it.')).toBeVisible();
  await inspect(mira, 'setup requested');
  await page.goto('/discord');
  await expect(page.getByText('Without an answer within seven days')).toBeVisible();
  await inspect(page, 'discord of the holder when requested');

  await control.clearFaults();
  await mira.goto('/setup');
  await addBot(mira, 'Mira Castellan', 'Lantern Playtest');
  await page.getByRole('button', { name: 'Hand it over' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Hand it over' }).click();
  await expect(page.getByText('You hand Lantern Works over to mira')).toBeVisible();
  await inspect(page, 'discord of the holder when handed over');
  await mira.goto('/discord');
  await expect(mira.getByText('Lantern Works was handed over to you')).toBeVisible();
  await inspect(mira, 'discord handed over');
});
