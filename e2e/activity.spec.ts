import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { inspect } from './inspect';
import { alertOn, denyPosting, editTask, holdCalls, loseAnswers } from './journey';
import { titleInHistory } from './long-history';
import { connectBoth, createRule } from './shortcuts';

const TITLE = 'Boss fight: ember golem';

const rows = (page: Page) => page.getByRole('main').locator('[aria-expanded]');
const rowOf = (page: Page, title: string) => rows(page).filter({ hasText: title });

/** The texts that end in an ellipsis. */
const cutIn = (place: Locator) =>
  place.evaluate((element) =>
    [...element.querySelectorAll('*')]
      .filter((each) => getComputedStyle(each).textOverflow === 'ellipsis')
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ textContent }) => textContent),
  );

test.beforeEach(async ({ page, signIn }) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page);
});

test('the first event appears by itself, and later ones wait behind a counter', async ({ page, control }) => {
  await page.goto('/rules');
  await page.getByRole('link', { name: 'Activity' }).click();
  await expect(page).toHaveURL('/activity');
  await expect(page.getByRole('heading', { name: 'Nothing has happened yet' })).toBeVisible();
  await inspect(page, 'activity empty');

  await test.step('the first row shows what changed, where it went and what became of it', async () => {
    await editTask(control, TITLE, { Status: 'Done' });
    await expect(rowOf(page, TITLE)).toContainText('Status: In progress → Done');
    await expect(rowOf(page, TITLE)).toContainText('#tasks');
    await expect(rowOf(page, TITLE)).toContainText('Posted');
  });

  await test.step('beside the sidebar of a small window, the page and its change are whole', async () => {
    const before = page.viewportSize();
    await page.setViewportSize({ width: 1000, height: 900 });
    expect(await cutIn(rowOf(page, TITLE))).toEqual([]);
    await page.goto('/');
    const latest = page.getByRole('region', { name: 'Latest activity' });
    await expect(latest.getByRole('listitem')).toContainText('Status: In progress → Done');
    expect(await cutIn(latest)).toEqual([]);
    await page.goBack();
    await expect(rowOf(page, TITLE)).toBeVisible();
    if (before) await page.setViewportSize(before);
  });

  await test.step('later ones wait behind a counter', async () => {
    await editTask(control, 'Dodge window tuning', { Status: 'In progress' });
    await editTask(control, 'Lantern upgrade screen', { Priority: 'Low' });
    const news = page.getByRole('button', { name: '2 new' });
    await expect(news).toBeVisible();
    await expect(rows(page)).toHaveCount(1);
    await inspect(page, 'activity news');
    await news.click();
    await expect(rows(page)).toHaveCount(3);
    await expect(news).toBeHidden();
    await expect(rows(page).first()).toBeFocused();
    await expect(rowOf(page, 'A page')).toContainText('Nothing that changed is a watched property.');
  });

  await test.step('the filters stay in the address', async () => {
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption({ label: 'Not posted' });
    await expect(page).toHaveURL('/activity?outcome=skipped');
    await expect(rows(page)).toHaveCount(1);
    await page.reload();
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption({ label: 'All outcomes' });
    await page.getByRole('combobox', { name: 'Rule' }).selectOption({ index: 1 });
    await page.getByRole('combobox', { name: 'Channel' }).selectOption({ label: '#tasks' });
    await expect(rows(page)).toHaveCount(3);
    await page.getByRole('searchbox', { name: 'Search titles' }).fill('WINDOW');
    await expect(rows(page)).toHaveCount(1);
    const found = page.getByRole('status').filter({ hasText: /^\d+ entr/ });
    await expect(found).toHaveText('1 entry');
    await expect(page).toHaveURL(/\?rule=.+&channel=.+&text=WINDOW$/);
    await page.reload();
    await expect(rows(page)).toHaveCount(1);
    await expect(rowOf(page, 'Dodge window tuning')).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search titles' }).fill('nobody');
    await expect(page.getByText('Nothing matches these filters.')).toBeVisible();
    await expect(found).toHaveText('0 entries');
    await inspect(page, 'activity nothing found');
    await page.getByRole('button', { name: 'Show all activity' }).click();
    await expect(page).toHaveURL('/activity');
    await expect(rows(page)).toHaveCount(3);
    await expect(page.getByRole('main')).toBeFocused();
  });

  await test.step('Home has the newest, and leads to their details', async () => {
    await page.getByRole('link', { name: 'Home' }).click();
    const latest = page.getByRole('region', { name: 'Latest activity' });
    await expect(latest.getByRole('listitem')).toHaveCount(3);
    await latest.getByRole('link', { name: TITLE }).click();
    await expect(rowOf(page, TITLE)).toHaveAttribute('aria-expanded', 'true');
    await expect(page.getByRole('link', { name: `Open in Discord: ${TITLE}` })).toBeVisible();
  });

  await test.step('a long name of a rule leaves room for its channel', async () => {
    const name = 'Everything that moves on the sprint board goes to tasks';
    await createRule(page, { name, watchedProperties: ['Notes'], eventType: 'page_updated' });
    await editTask(control, TITLE, { Notes: 'Two phases' });
    await expect(page.getByRole('button', { name: '2 new' })).toBeVisible();
    await page.goto('/activity');
    const place = rowOf(page, name).getByTitle(`${name} → #tasks`);
    await expect(place).toBeVisible();
    const channel = place.locator(':scope > span').last();
    await expect(channel).toHaveText('#tasks');
    expect(await channel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });

  await test.step('an old value stands before the new one, although both are read from right to left', async () => {
    await editTask(control, TITLE, { Notes: 'שלב שני' });
    await expect(page.getByRole('button', { name: '2 new' })).toBeVisible();
    await editTask(control, TITLE, { Notes: 'שלב שלישי' });
    await page.getByRole('button', { name: '4 new' }).click();
    const values = rowOf(page, 'שלב שלישי').locator('bdi');
    await expect(values).toHaveText(['Notes', 'שלב שני', 'שלב שלישי']);
    const [before, after] = [await values.nth(1).boundingBox(), await values.nth(2).boundingBox()];
    expect(before?.x).toBeLessThan(after?.x ?? 0);
    await inspect(page, 'activity from right to left');
  });
});

test('a row opens its details by keyboard, and a failed card is sent again from there', async ({
  page,
  control,
}) => {
  await denyPosting(control, true);
  await editTask(control, TITLE, { Status: 'Done' });
  await editTask(control, 'Dodge window tuning', { Priority: 'Low' });
  await page.goto('/activity?outcome=failed');
  await expect(rowOf(page, TITLE)).toContainText('The bot may not send messages in the channel.');
  await page.goto('/activity');
  await expect(rows(page)).toHaveCount(2);

  await rows(page).first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows(page).nth(1)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(rows(page).first()).toBeFocused();
  await rowOf(page, TITLE).focus();
  await page.keyboard.press('Enter');
  const resend = page.getByRole('button', { name: `Resend ${TITLE}` });
  await expect(resend).toBeVisible();
  await expect(page.getByRole('link', { name: `Open in Notion: ${TITLE}` })).toBeVisible();
  await inspect(page, 'activity details');

  await denyPosting(control, false);
  await resend.press('Enter');
  await expect(rowOf(page, TITLE).first()).toContainText('Posted');
  await expect(page.getByRole('link', { name: `Open in Discord: ${TITLE}` })).toBeVisible();
  await expect(resend).toBeHidden();
  await expect(rowOf(page, TITLE).first()).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.getByRole('link', { name: `Open in Notion: ${TITLE}` })).toBeHidden();
});

test.describe('when the answer to Resend is lost', () => {
  test.use({ expectedConsole: /ERR_CONNECTION_RESET/ });

  test('nobody is told that the card could not be sent again', async ({ page, control }) => {
    await denyPosting(control, true);
    await editTask(control, TITLE, { Status: 'Done' });
    await page.goto('/activity?outcome=failed');
    await rowOf(page, TITLE).click();
    await denyPosting(control, false);
    await loseAnswers(page, '**/resend');
    await page.getByRole('button', { name: `Resend ${TITLE}` }).click();
    await expect(page.getByRole('main').locator('[aria-busy]')).toHaveCount(0);
    await expect(alertOn(page)).toHaveCount(0);
  });
});

test('a long history is loaded page by page', async ({ page, control }) => {
  await control.addHistory(1000);
  await page.goto('/activity');
  await expect(rows(page)).toHaveCount(50);
  await inspect(page, 'activity long');
  // The second click meets a busy button.
  const answer = await holdCalls(page, '**/api/app/activity?before=*');
  await page.getByRole('button', { name: /^(Load more|Looking)/ }).dblclick();
  await expect(page.getByRole('button', { name: 'Looking...' })).toBeFocused();
  answer();
  await expect(rows(page)).toHaveCount(100);
  await expect(page.getByRole('status').filter({ hasText: '100 entries so far' })).toHaveCount(1);

  await test.step('each entry is one line, whatever the time and the title', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const heights = await rows(page).evaluateAll((all) =>
      all.map((row) => row.getBoundingClientRect().height),
    );
    expect(Math.max(...heights)).toBeLessThanOrEqual(40);
    // Even beside the longest title there is room for the change.
    const details = page.getByText('Status: Up next');
    const widths = await details.evaluateAll((all) => all.map((detail) => detail.clientWidth));
    expect(Math.min(...widths)).toBeGreaterThan(150);
  });

  await test.step('on a phone, what happened has the whole width, and its outcome stands below', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const row = rows(page).filter({ hasText: 'Not posted' }).first();
    const [whole, text, outcome] = await Promise.all(
      [row, row.locator(':scope > span').first(), row.getByText('Not posted')].map((each) =>
        each.evaluate((element) => element.getBoundingClientRect().toJSON()),
      ),
    );
    expect(text.right).toBeCloseTo(whole.right - (text.left - whole.left), 0);
    expect(outcome.top).toBeGreaterThanOrEqual(text.bottom);
  });

  await test.step('the oldest of all is found by its title', async () => {
    await page.getByRole('searchbox', { name: 'Search titles' }).fill(titleInHistory(1));
    await expect(page).toHaveURL(/text=/);
    // A search looks for a tenth of a second, then says how far it got.
    const further = page.getByRole('button', { name: 'Look further' });
    await expect(async () => {
      if (await further.isVisible()) await further.click({ timeout: 1000 });
      await expect(page.getByText('That is all.')).toBeVisible({ timeout: 1000 });
    }).toPass();
    await expect(rowOf(page, titleInHistory(1)).first()).toBeVisible();
    await expect(rowOf(page, titleInHistory(1000))).toHaveCount(0);
  });
});

test.describe('when it cannot be read', () => {
  test.use({ expectedConsole: /Failed to load resource/ });

  test('it loads in the shape that follows, says that it failed, and is tried again', async ({ page }) => {
    let isFailing = true;
    const answer = await holdCalls(page, '**/api/app/activity*', async (route) => {
      if (isFailing)
        await route.fulfill({ status: 500, json: { error: 'Something went wrong', code: 'internal_error' } });
      else await route.continue();
    });
    await page.goto('/activity');
    await expect(page.getByRole('status', { name: 'Loading activity' })).toBeVisible();
    await inspect(page, 'activity loading');
    answer();
    const failure = page.getByRole('alert').filter({ hasText: 'The activity could not be loaded' });
    await expect(failure).toBeVisible();
    await inspect(page, 'activity failed');
    await page.goto('/');
    await expect(page.getByText('The latest activity could not be loaded')).toBeVisible();
    await page.goto('/activity');
    await expect(failure).toBeVisible();
    isFailing = false;
    await failure.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'Nothing has happened yet' })).toBeVisible();
  });
});

test('a slow browser loses nothing that is typed fast in the search', async ({ page }) => {
  await page.goto('/activity');
  const search = page.getByRole('searchbox', { name: 'Search titles' });
  await search.focus();
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 10 });
  const text = 'Lantern upgrade screen of the third level';
  await page.keyboard.type(text);
  await expect(search).toHaveValue(text);
  await search.blur();
  await expect(search).toHaveValue(text);
});
