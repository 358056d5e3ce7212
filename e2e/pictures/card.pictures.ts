import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures';
import { editTask } from '../journey';
import { connectBoth, createRule } from '../shortcuts';
import { EMOJI } from './still-time';
import { keep } from './take';

const TITLE = 'Boss fight: ember golem';
const ROWS = 5;

test.use({ deviceScaleFactor: 2 });

test('a change and its card', async ({ page, signIn, control, openNotion, openDiscord }) => {
  await signIn('mira');
  await connectBoth(page);
  await createRule(page, { displayedFields: ['Assignee', 'Priority'] });
  const discord = await openDiscord('mira');
  await discord.getByRole('link', { name: /tasks/ }).click();
  await editTask(control, TITLE, { Status: 'Done' });
  const message = discord.locator('article').filter({ hasText: `Status of ${TITLE}` });
  await expect(message).toBeVisible();
  await makeStill(discord);
  await discord.setViewportSize({ width: 820, height: 900 });

  const notion = await openNotion('mira');
  await notion.getByRole('link', { name: 'Sprint board' }).click();
  await expect(notion.getByRole('heading', { name: 'Sprint board' })).toBeVisible();
  await makeStill(notion);

  // The message begins where the list of channels ends.
  const { x, width, ...outer } = await boxOf(message);
  const inner = { ...outer, x: x + 12, width: width - 12 };
  const [change, card] = [await firstRows(notion), await withRoom(discord, inner, 12)];
  await compose(page, change, card);
});

/** The heading of a database and its first rows, up to the status column. */
async function firstRows(notion: Page): Promise<Buffer> {
  await notion.locator('details').evaluateAll((all) => {
    for (const each of all) each.remove();
  });
  const heading = await boxOf(notion.getByRole('heading', { name: 'Sprint board' }));
  const row = notion.locator('table.rows tbody tr').nth(ROWS - 1);
  const [last, status] = [await boxOf(row), await boxOf(row.locator('td').nth(1))];
  const [right, bottom] = [status.x + status.width, last.y + last.height];
  const box = { ...heading, width: right - heading.x - 22, height: bottom - heading.y - 20 };
  return withRoom(notion, box, 20);
}

type Box = Awaited<ReturnType<typeof boxOf>>;

async function withRoom(page: Page, { x, y, width, height }: Box, room: number): Promise<Buffer> {
  return page.screenshot({
    clip: { x: x - room, y: y - room, width: width + 2 * room, height: height + 2 * room },
  });
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error('There is nothing to be seen.');
  return box;
}

/** Writes the same times in every picture, and removes emoji, which each machine draws differently. */
async function makeStill(page: Page): Promise<void> {
  await page.evaluate((emoji) => {
    for (const each of document.querySelectorAll<HTMLElement>('time[data-style]')) {
      each.textContent = each.dataset['style'] === 'R' ? '10 seconds ago' : '10:29 AM';
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode } = texts;
      currentNode.textContent = (currentNode.textContent ?? '').replaceAll(new RegExp(emoji, 'gu'), '');
    }
  }, EMOJI.source);
}

/** Draws the connecting line between the two pictures, on a transparent background that suits light and dark pages. */
async function compose(page: Page, change: Buffer, card: Buffer): Promise<void> {
  const source = (picture: Buffer) => `data:image/png;base64,${picture.toString('base64')}`;
  await page.goto('about:blank');
  await page.setViewportSize({ width: 1200, height: 900 });
  await page.setContent(`
    <style>
      body { margin: 0; background: transparent }
      main { display: inline-grid; grid-template-columns: 400px 72px 470px; align-items: center; padding: 1px }
      img { width: 100%; border-radius: 12px; outline: 1px solid #8886 }
      svg { width: 72px; overflow: visible }
    </style>
    <main>
      <img src="${source(change)}" alt="">
      <svg viewBox="0 0 72 20" fill="none" stroke="#1f9d63" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">
        <circle cx="14" cy="10" r="4"/><path d="M18 10H60M51 2l9 8l-9 8"/>
      </svg>
      <img src="${source(card)}" alt="">
    </main>`);
  await keep(page, 'card', await page.locator('main').screenshot({ omitBackground: true }));
}
