import { expect, type Locator, type Page, type Route } from '@playwright/test';
import type { ProductControl } from './product-control';

const SEND_MESSAGES = String(1n << 11n);

interface Guild {
  id: string;
  name: string;
  channels: { id: string; name: string }[];
}

/**
 * Goes from the setup's first step to the dashboard: installs the bot in Lantern Works, and shares the databases that
 * are ticked by default.
 */
export async function connectOnPages(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add Bot to Discord Server' }).click();
  await page.getByLabel('Add to server').selectOption('Lantern Works');
  await page.getByRole('button', { name: 'Authorize' }).click();
  await expect(page.getByText('Connected to 1 server')).toBeVisible();
  await expect(page.getByText('Lantern Works')).toBeVisible();

  await page.getByRole('button', { name: 'Connect Notion Workspace' }).click();
  await page.getByRole('button', { name: 'Allow access' }).click();
  await expect(page.getByText('Setup Complete!')).toBeVisible();
  await expect(page).toHaveURL('/?setup=completed');
}

/** Chooses the option of a select whose text contains the given words. */
export async function choose(page: Page, field: string, words: string): Promise<void> {
  const select = page.getByRole('combobox', { name: field });
  const value = await select.locator('option', { hasText: words }).first().getAttribute('value');
  await select.selectOption(value);
}

/** The text of a select's current choice. */
export function chosen(page: Page, field: string): Locator {
  return page.getByRole('combobox', { name: field }).locator('option:checked');
}

export async function tick(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('button', { name: field }).click();
  await page.getByRole('group', { name: field }).getByRole('checkbox', { name: option }).check();
  await page.keyboard.press('Escape');
}

/** Holds calls until the returned function is called; then they and all later ones are answered by `answer`. */
export async function holdCalls(
  page: Page,
  url: string | RegExp,
  answer: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await answer(route);
  });
  return release;
}

/** From now on changes at this address are made, and their answers get lost. */
export async function loseAnswers(page: Page, url: string): Promise<void> {
  await page.route(url, async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    await route.fetch();
    await route.abort('connectionreset');
  });
}

/** Alerts on a page, without Next's announcer of titles. */
export function alertOn(page: Page): Locator {
  return page.getByRole('alert').and(page.locator(':not(#__next-route-announcer__)'));
}

/** Fills in the form for a rule that watches Status of the Sprint board and posts to #tasks. */
export async function createRuleOnPage(page: Page): Promise<void> {
  await page.goto('/rules');
  await page.getByRole('button', { name: 'New Rule' }).click();
  await choose(page, 'Database', 'Sprint board');
  await choose(page, 'Event Type', 'Page Updated');
  await tick(page, 'Watched Properties', 'Status');
  await choose(page, 'Channel', 'tasks');
  await page.getByRole('button', { name: 'Create Rule' }).click();
  await expect(page.getByRole('listitem', { name: 'Sprint board to #tasks' })).toBeVisible();
}

/** Types a command into the box below the messages and chooses it from the list, once Discord knows it. */
export async function openCommand(discord: Page, command: string): Promise<void> {
  const box = discord.getByRole('textbox', { name: /^Message / });
  const option = discord.getByRole('option', { name: new RegExp(`^${command}(?!-)`) });
  await expect(async () => {
    await box.fill('/');
    await box.fill(command);
    await expect(option).toBeVisible({ timeout: 1000 });
  }).toPass();
  await option.click();
}

/** Runs a command that needs no options. */
export async function runCommand(discord: Page, command: string): Promise<void> {
  await openCommand(discord, command);
  await discord.getByRole('button', { name: 'Run' }).click();
}

/** The id of a server in Discord. */
export async function guildId(control: ProductControl, name: string): Promise<string> {
  return (await findGuild(control, name))?.id ?? '';
}

/** A Discord server with its channels. */
export async function findGuild(control: ProductControl, wanted: string): Promise<Guild | undefined> {
  const guilds = (await control.call('discord', 'GET', '/_sandbox/discord/guilds')) as Guild[];
  return guilds.find(({ name }) => name === wanted);
}

/** Takes Send Messages from the bot in #tasks, or gives it back. */
export async function denyPosting(control: ProductControl, denied: boolean): Promise<void> {
  const { channels = [] } = (await findGuild(control, 'Lantern Works')) ?? {};
  const id = channels.find(({ name }) => name === 'tasks')?.id;
  const deny = denied ? SEND_MESSAGES : '0';
  await control.call('discord', 'PUT', `/_sandbox/discord/channels/${id}/overwrite`, { deny });
  await control.lookAnew();
}

/** Jonas changes a page of the Sprint board. */
export async function editTask(
  control: ProductControl,
  page: string,
  properties: Record<string, unknown>,
): Promise<void> {
  await control.call('notion', 'PATCH', '/_sandbox/notion/rows', {
    page,
    database: 'Sprint board',
    as: 'jonas',
    properties,
  });
}
