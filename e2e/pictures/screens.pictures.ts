import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures';
import { choose, editTask, runCommand, tick } from '../journey';
import type { ProductControl } from '../product-control';
import { connectBoth, connectServer, createRule } from '../shortcuts';
import { stopTime } from './still-time';
import { take } from './take';

const FINISHED = {
  name: 'Finished, and it mattered',
  channel: 'build-log',
  eventType: 'page_updated',
  watchedProperties: ['Status'],
  conditions: {
    items: [
      { propertyId: 'Status', operator: 'changed', to: ['Done'] },
      { propertyId: 'Priority', operator: 'is', values: ['Critical', 'High'] },
    ],
  },
};

test.beforeEach(async ({ page, signIn }) => {
  await signIn('mira');
  await stopTime(page);
});

test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

test('setup', async ({ page }) => {
  await connectServer(page);
  await page.goto('/setup');
  await expect(page.getByText('Connected to 1 server')).toBeVisible();
  await take(page, 'setup');
});

test('accounts', async ({ page, openDiscord }) => {
  await connectBoth(page);
  const discord = await openDiscord('jonas');
  await discord.getByRole('link', { name: /tasks/ }).click();
  await runCommand(discord, '/notion link-account');
  await expect(discord.getByText(/Your request is waiting/)).toBeVisible();
  await page.goto('/accounts');
  await page.getByRole('combobox', { name: 'Notion user for @jonas_b' }).selectOption({ index: 2 });
  await take(page, 'accounts');
});

test('what flows', async ({ page, control }) => {
  await connectBoth(page);
  await createRule(page, { database: 'Bug reports', channel: 'bugs', eventType: 'page_created' });
  await createRule(page, FINISHED);
  await createRule(page, { displayedFields: ['Assignee', 'Priority'] });
  await changeFiveTasks(control, page);

  await page.goto('/rules');
  const rule = page.getByRole('listitem', { name: 'Sprint board to #tasks' });
  await expect(rule).toContainText('Posting');
  await take(page, 'rules');

  await rule.getByRole('button', { name: /^Edit rule/ }).click();
  const attempt = page.getByRole('button', { name: 'Try on the last 7 days' });
  await attempt.click();
  await expect(page.getByRole('list', { name: 'Cards by day, in UTC' })).toBeVisible();
  await attempt.evaluate((button) => button.closest('section')?.scrollIntoView());
  await take(page, 'try');
  await page.goto('/rules');

  await rule.getByRole('button', { name: 'Recent deliveries' }).click();
  await expect(page.getByRole('dialog').getByText('Lantern upgrade screen')).toBeVisible();
  await take(page, 'deliveries');

  await page.goto('/activity');
  await expect(page.getByText('Lantern upgrade screen').first()).toBeVisible();
  await take(page, 'activity');

  await page.goto('/');
  await expect(page.getByText('Usage This Month').first()).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Lantern upgrade screen');
  await take(page, 'home');

  await page.goto('/discord');
  await expect(page.getByText('Used in 1 rule', { exact: true }).first()).toBeVisible();
  await take(page, 'discord');
});

test('the form', async ({ page }) => {
  await connectBoth(page);
  await page.goto('/rules');
  const form = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Start from a recipe' }).click();
  await choose(page, 'Database', 'Sprint board');
  await expect(form.getByRole('button', { name: 'Use Due date moved' })).toBeVisible();
  await take(page, 'recipes');

  await form.getByRole('button', { name: 'Start from a recipe' }).click();
  await choose(page, 'Event Type', 'Page Updated');
  await tick(page, 'Watched Properties', 'Status');
  await tick(page, 'Watched Properties', 'Assignee');
  await choose(page, 'Channel', 'tasks');
  await tick(page, 'Displayed Fields', 'Priority');
  await form.getByRole('button', { name: 'Preview' }).click();
  await expect(form.getByText('Boss fight: ember golem').first()).toBeVisible();
  await form
    .getByRole('button', { name: 'Start from a recipe' })
    .evaluate((row) => row.scrollIntoView({ block: 'center' }));
  await take(page, 'rule-dialog');

  const conditions = form.getByRole('button', { name: 'Conditions', exact: true });
  await conditions.click();
  await addCondition(page, 1, 'Status', 'changed');
  await tick(page, 'Old value of condition 1', 'In review');
  await tick(page, 'New value of condition 1', 'Done');
  await addCondition(page, 2, 'Due date', 'within_next_days');
  await conditions.evaluate((button) => button.scrollIntoView());
  await take(page, 'conditions');
  await conditions.click();

  const people = form.getByRole('button', { name: 'People', exact: true });
  await people.click();
  await choose(page, 'Posts what is done by', 'Anyone but these people');
  await tick(page, 'These people', 'Mira Castellan');
  await people.evaluate((button) => button.scrollIntoView());
  await take(page, 'people');
});

test('a page as the source', async ({ page, control }) => {
  await connectBoth(page);
  await control.call('notion', 'POST', '/_sandbox/notion/authorizations/share', {
    person: 'mira',
    page: 'Engineering wiki',
  });
  await page.goto('/rules');
  await page.getByRole('button', { name: 'New Rule' }).click();
  await choose(page, 'Watch', 'A page');
  await page.getByRole('combobox', { name: 'Page', exact: true }).fill('Engineering');
  await expect(page.getByRole('option').filter({ hasText: 'Engineering wiki' })).toBeVisible();
  await take(page, 'source');
});

test('a rule by the clock', async ({ page }) => {
  await connectBoth(page);
  await page.goto('/rules');
  await page.getByRole('button', { name: 'New Rule' }).click();
  const form = page.getByRole('dialog');
  await choose(page, 'Database', 'Sprint board');
  await choose(page, 'Event Type', 'Date Near');
  await choose(page, 'Channel', 'tasks');
  await expect(form.getByRole('region', { name: 'Preview' })).toContainText('is due tomorrow');
  await form.getByRole('combobox', { name: 'Event Type' }).evaluate((field) => field.scrollIntoView());
  await take(page, 'date-near');
});

test('a file of rules', async ({ page }) => {
  await connectBoth(page);
  await createRule(page, { displayedFields: ['Assignee', 'Priority'] });
  await createRule(page, FINISHED);
  await page.goto('/rules');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export all rules' }).click();
  const file = readFileSync(await (await saved).path(), 'utf8');
  await page.getByRole('button', { name: 'Import rules' }).click();
  await page.getByLabel('File').setInputFiles({
    name: 'pagewire-rules.json',
    mimeType: 'application/json',
    // As if exported from an account whose channel has another id and another name.
    buffer: Buffer.from(withOtherChannel(file)),
  });
  await expect(page.getByRole('list', { name: 'What would be created' })).toBeVisible();
  await take(page, 'import');
});

const CHANGES: [title: string, properties: Record<string, unknown>][] = [
  ['Boss fight: ember golem', { Status: 'Done' }],
  ['Cave ambience, second pass', { Status: 'In review' }],
  ['Ash storm weather effect', { Estimate: 13 }],
  ['Controller rumble on parry', { Status: 'Done' }],
  ['Lantern upgrade screen', { Status: 'In progress' }],
];

/**
 * Changes five tasks, one of them in a way that no rule posts, and waits for the cards. One comes after the other, so
 * that every run lists them in the same order.
 */
async function changeFiveTasks(control: ProductControl, page: Page): Promise<void> {
  const entries = page.getByRole('main').locator('[aria-expanded]');
  const reaches = (outcome: RegExp, count: number) =>
    expect(async () => {
      await page.goto('/activity');
      await expect(entries.filter({ hasText: outcome })).toHaveCount(count, { timeout: 10_000 });
    }).toPass();
  for (const [nth, [title, properties]] of CHANGES.entries()) {
    await editTask(control, title, properties);
    // Each concerns two rules.
    await reaches(/posted/i, 2 * (nth + 1));
  }
  await reaches(/Posted/, 5);
}

async function addCondition(page: Page, at: number, property: string, operator: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Condition' }).click();
  await page.getByRole('combobox', { name: `Property of condition ${at}` }).selectOption({ label: property });
  await page.getByRole('combobox', { name: `Operator of condition ${at}` }).selectOption(operator);
}

function withOtherChannel(text: string): string {
  return text
    .replaceAll(/"channelId":\s*"\d+"/g, '"channelId":"100000000000000000"')
    .replace('"build-log"', '"builds"');
}
