import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { denyPosting, findGuild, holdCalls } from './journey';
import { connectBoth, createRule } from './shortcuts';

/** Ten rules of two databases for three channels. */
async function addTenRules(page: Page): Promise<void> {
  const ofTasks = { watchedProperties: ['Status'], statusTo: ['In progress', 'Done'] };
  for (const [index, channel] of ['tasks', 'bugs', 'build-log', 'tasks', 'bugs'].entries()) {
    for (const database of ['Sprint board', 'Bug reports']) {
      const watched = database === 'Sprint board' ? ofTasks : { watchedProperties: ['State'] };
      const event = index % 2 ? { eventType: 'page_updated', ...watched } : { eventType: 'page_created' };
      await createRule(page, { database, channel, ...event });
    }
  }
}

/** The position of something in the page, independent of scrolling. */
const boxOf = (element: Locator) =>
  element.evaluate((node) => {
    const { left, width, height, bottom } = node.getBoundingClientRect();
    return { left, width, height, bottom: bottom + window.scrollY };
  });

test('ten rules fit on a screen, are searched, filtered and sorted, and tell one trouble once', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await addTenRules(page);
  await page.goto('/rules');
  const list = page.getByRole('list', { name: 'Rules', exact: true });
  const rows = list.getByRole('listitem');
  await expect(rows).toHaveCount(10);

  await test.step('no eleventh is offered', async () => {
    const newRule = page.getByRole('button', { name: 'New Rule' });
    await expect(newRule).toBeDisabled();
    await newRule.locator('..').hover();
    await expect(page.getByRole('tooltip')).toHaveText(
      'All 10 rules of your plan are in use. Delete one to make another.',
    );
  });

  await test.step('on a laptop and on a phone', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    expect((await boxOf(rows.last())).bottom).toBeLessThanOrEqual(900);
    await page.setViewportSize({ width: 390, height: 900 });
    expect((await boxOf(list)).height).toBeLessThanOrEqual(900);
    for (const row of await rows.all()) expect((await boxOf(row)).height).toBeLessThanOrEqual(80);
    await page.setViewportSize({ width: 1280, height: 900 });
    await inspect(page, 'ten rules');
  });

  await test.step('a search stays in the address', async () => {
    await page.getByRole('searchbox', { name: 'Search rules' }).fill('state changes');
    await expect(rows).toHaveCount(2);
    await expect(page.getByRole('status').filter({ hasText: '2 of 10 rules' })).toBeAttached();
    await page.getByRole('combobox', { name: 'Channel' }).selectOption({ label: '#build-log' });
    await expect(rows).toHaveCount(0);
    // Both happen before the list is drawn again.
    await page.getByRole('button', { name: 'Show all rules' }).evaluate((showAll: HTMLElement) => {
      showAll.click();
      const sort = document.querySelector<HTMLSelectElement>('select[aria-label="Sort by"]');
      if (!sort) throw new Error('There is nothing to sort by.');
      sort.value = 'state';
      sort.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await expect(rows).toHaveCount(10);
    await expect(page).toHaveURL(/\?sort=state$/);
    await page.getByRole('combobox', { name: 'Channel' }).selectOption({ label: '#build-log' });
    await expect(rows).toHaveCount(2);
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption({ label: 'Database' });
    await page.reload();
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toHaveAccessibleName('Bug reports to #build-log');
    await page.getByRole('combobox', { name: 'Channel' }).selectOption({ label: 'All channels' });
    await expect(rows).toHaveCount(10);
    await page.getByRole('searchbox', { name: 'Search rules' }).fill('nothing of the kind');
    await page.getByRole('button', { name: 'Show all rules' }).press('Enter');
    await expect(rows).toHaveCount(10);
    await expect(page.getByRole('main')).toBeFocused();
  });

  await test.step('a channel that refuses is one banner, and its rules show no live wire', async () => {
    await denyPosting(control, true);
    const trouble = page.getByRole('list', { name: 'What needs attention' });
    await expect(trouble.getByRole('listitem')).toHaveCount(1);
    await expect(trouble).toContainText('This stops 4 rules.');
    await page.getByRole('combobox', { name: 'State' }).selectOption({ label: 'In trouble' });
    await expect(rows).toHaveCount(4);
    await inspect(page, 'rules one trouble');
    await denyPosting(control, false);
    await trouble.getByRole('button', { name: 'Check again' }).click();
    await expect(trouble).toBeHidden();
  });
});

test('what a rule does keeps its room beside long names, in aligned columns and on two lines of a phone', async ({
  page,
  signIn,
  control,
}) => {
  const guild = await findGuild(control, 'Lantern Works');
  const tasks = guild?.channels.find(({ name }) => name === 'tasks');
  const longName = 'tasks-'.repeat(10);
  await control.call('discord', 'PATCH', `/_sandbox/discord/channels/${tasks?.id}`, { name: longName });
  await signIn('mira');
  await connectBoth(page);
  await createRule(page, { channel: 'bugs' });
  await createRule(page, { channel: longName });
  await createRule(page, {
    channel: longName,
    name: 'Everything that moves on the sprint board goes to tasks',
  });
  const fromRight = 'כל מה שזז בלוח הספרינט עובר לערוץ המשימות שלנו';
  await createRule(page, { channel: longName, name: fromRight });
  await page.goto('/rules');
  const rows = page.getByRole('list', { name: 'Rules', exact: true }).getByRole('listitem');
  await expect(rows).toHaveCount(4);
  await expect(page.getByText(fromRight, { exact: true })).toHaveCSS('direction', 'rtl');
  await inspect(page, 'rules long names in a list');

  for (const width of [1440, 1280, 1024, 768, 390]) {
    await test.step(`${width} pixels wide`, async () => {
      await page.setViewportSize({ width, height: 900 });
      for (const row of await rows.all()) {
        const sentence = await boxOf(row.locator('p').first());
        const [rule, place] = [row.locator(':scope > div').first(), row.locator(':scope > div').nth(1)];
        expect((await boxOf(rule)).width).toBeGreaterThan((await boxOf(place)).width);
        expect(sentence.height).toBeLessThanOrEqual(24);
        expect((await boxOf(row)).height).toBeLessThanOrEqual(80);
        const watched = row.locator('p > span').nth(1);
        const isWhole = await watched.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
        if (!isWhole) expect((await boxOf(watched)).width).toBeGreaterThanOrEqual(sentence.width / 2 - 1);
      }
    });
  }

  await test.step('the columns stand below their headings', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const headings = page.getByText('Posts to', { exact: true }).locator('xpath=../span');
    for (const row of await rows.all()) {
      const health = row.getByRole('button', { name: 'Recent deliveries' }).locator(':scope > span');
      const cells = [
        row.locator('p').first(),
        row.locator(':scope > div').nth(1),
        health.nth(1),
        health.nth(2),
        row.getByRole('switch'),
      ];
      for (const [index, cell] of cells.entries()) {
        const offset = async () => (await boxOf(cell)).left - (await boxOf(headings.nth(index))).left;
        await expect.poll(offset).toBeCloseTo(0, 0);
      }
      const badges = await boxOf(row.locator('p').nth(1));
      expect(badges.left).toBe((await boxOf(rows.first().locator('p').nth(1))).left);
    }
  });
});

test('a rule that is switched on is called neither ready nor live before it is known to be', async ({
  page,
  signIn,
  control,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  const row = page.getByRole('list', { name: 'Rules', exact: true }).getByRole('listitem');
  const onOff = row.getByRole('switch');
  const green = row.locator('[class*="bg-wire"], [class*="border-wire"]');
  await expect(row).toContainText('Ready');
  await expect(green).not.toHaveCount(0);
  await denyPosting(control, true);
  await expect(row).toContainText('Cannot post');
  await onOff.click();
  await expect(row).toContainText('Off');
  await expect(onOff).toBeEnabled();

  const answer = await holdCalls(page, '**/api/app/rules/*');
  await onOff.click();
  await expect(onOff).toBeChecked();
  await expect(row).toContainText('Turning on');
  await expect(row).not.toContainText('Ready');
  await expect(green).toHaveCount(0);
  answer();
  await expect(row).toContainText('Cannot post');
  await expect(green).toHaveCount(0);
});

test('two rules that are switched off at once both stay off', async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await createRule(page);
  await page.goto('/rules');
  const switches = page.getByRole('list', { name: 'Rules', exact: true }).getByRole('switch');
  const [first, second] = [switches.nth(0), switches.nth(1)];
  await expect(second).toBeChecked();
  const answer = await holdCalls(page, '**/api/app/rules/*');
  await first.click();
  await second.click();
  expect([await first.isChecked(), await second.isChecked()]).toEqual([false, false]);
  let saved = 0;
  page.on('requestfinished', (request) => {
    if (request.method() === 'PUT') saved += 1;
  });
  answer();
  await expect.poll(() => saved).toBe(2);
  await page.reload();
  await expect(first).not.toBeChecked();
  await expect(second).not.toBeChecked();
});

test('a switch that is pressed twice stays where it was put last, although the first call is slower', async ({
  page,
  signIn,
}) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
  await page.goto('/rules');
  const onOff = page.getByRole('switch');
  await expect(onOff).toBeChecked();
  const made: boolean[] = [];
  await page.route('**/api/app/rules/*', async (route) => {
    const { enabled } = route.request().postDataJSON();
    // For longer than a later call would take to overtake this one.
    if (!enabled) await page.waitForTimeout(1000);
    await route.fulfill({ response: await route.fetch() });
    made.push(enabled);
  });
  await onOff.click();
  await onOff.click();
  await expect.poll(() => made).toHaveLength(2);
  await page.reload();
  await expect(onOff).toBeChecked();
});

test('a link to a rule that is not there says so', async ({ page, signIn }) => {
  await signIn('mira');
  await page.goto('/rules?open=11111111-1111-4111-8111-111111111111');
  const said = page.getByText('The link leads to a rule that is not in the list. It may have been deleted.');
  await expect(said).toBeVisible();
  await expect(page).toHaveURL('/rules');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(said).toBeHidden();
});
