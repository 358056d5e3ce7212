import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Chatter } from '@/lib/testing/chat';
import { DigestSteps, pagesOf, preferences, quietNow } from '@/lib/testing/digest-steps';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';

const PAGE = 'Boss fight: ember golem';
const MANY = 15;

let pipeline: Pipeline;
let due: DigestSteps;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  due = new DigestSteps(pipeline);
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.clear();
  await preferences(pipeline, {});
  await pipeline.prepare(PAGE, { Status: 'Backlog' });
});

const call = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.call('mira', method, path, body);

async function change(Status: string, page = PAGE) {
  await pipeline.edit(page, { Status }, 'jonas');
  await pipeline.idle();
}

const threadOf = async ({ id }: { id: string }) =>
  (await pipeline.story.product.messages(id).catch(() => [])).map(
    ({ content }: { content: string }) => content,
  );

/** Mira has pressed "Change status" under the only card. */
async function openMenu() {
  const [card] = await pipeline.cards();
  const { product, channel } = pipeline.story;
  const mira = new Chatter(product, 'mira', channel('tasks'));
  await mira.press(card, 'Change status');
  return { mira, menu: await mira.answer() };
}

test('a card of one line lives as well', async () => {
  await pipeline.rule({ card: 'living', size: 'compact' });
  await change('In progress');
  await change('Done');
  const [card, ...others] = await pipeline.cards();
  expect(others).toEqual([]);
  expect(card).toMatchObject({ embeds: [], components: [] });
  expect(card.content).toMatch(
    /^Jonas Brandt changed Status of \[Boss fight: ember golem\]\(<http.*>\) to Done$/,
  );
  expect(await threadOf(card)).toHaveLength(1);
});

test('a card shows what came after a button, although Discord takes long for the edit of the button', async () => {
  await pipeline.rule({ card: 'living' });
  await change('In progress');
  const { mira, menu } = await openMenu();
  const { faults } = pipeline.story.product.sandbox.context;
  pipeline.fault({ target: 'discord', match: 'PATCH .*/channels/.*/messages', kind: 'slow', delayMs: 9000 });
  await mira.choose(menu, 'In review');
  await eventually(async () => faults.list().some(({ hits }) => hits > 0));
  await change('Done');
  faults.release();
  await pipeline.idle();
  expect((await pipeline.cards())[0].embeds[0].description).toContain('Status: Done\n');
});

test('a card that goes on elsewhere stays a link, also when somebody finishes what they began at it', async () => {
  await pipeline.rule({ card: 'living' });
  await change('In progress');
  const { mira, menu } = await openMenu();
  await db().$executeRaw`update living_card set last_event_at = now() - interval '8 days'`;
  await change('In review');
  await pipeline.told(() => mira.choose(menu, 'Done'));
  await pipeline.idle();
  const [old, anew] = await pipeline.cards();
  expect(old).toMatchObject({ content: expect.stringContaining(anew.id), embeds: [], components: [] });
  expect(anew.embeds[0].description).toContain('Status: Done\n');
});

test('in quiet hours a living card is kept up to date, and what happened is told afterwards', async () => {
  const rule = await pipeline.rule({ card: 'living' });
  await change('In progress');
  await preferences(pipeline, { quietHours: quietNow() });
  await change('Done');
  const [card, ...none] = await pipeline.cards();
  expect(none).toEqual([]);
  expect(card.embeds[0].description).toContain('Status: Done\n');
  expect(card.pings).toEqual({ users: [], roles: [], everyone: false });
  expect(await threadOf(card)).toEqual([]);

  await preferences(pipeline, { quietHours: null });
  await due.run();
  const [, digest, ...more] = await pipeline.cards();
  expect(pagesOf(digest)).toEqual([PAGE]);
  expect(more).toEqual([]);
  const { deliveries } = (await call('GET', `/api/app/rules/${rule.id}/deliveries`)).body;
  expect(deliveries.map(({ state }: { state: string }) => state)).toEqual(['sent', 'sent']);
});

test('of many new pages the first have living cards, and the others one when something happens to them', async () => {
  await pipeline.story.product.control('discord', 'PUT', '/limits', { limits: 'off' });
  await pipeline.rule({ card: 'living', rollUp: true, eventType: 'page_created', watchedProperties: [] });
  await pipeline.rule({ card: 'living', rollUp: true });
  const titles = Array.from({ length: MANY }, (_, nth) => `Imported ${nth}`);
  for (const Name of titles) {
    const body = { database: 'Sprint board', properties: { Name, Status: 'Backlog' } };
    await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows', body));
  }
  await pipeline.settle();
  await pipeline.idle();
  expect(await db().livingCard.count()).toBe(10);
  const counted = await eventually(async () =>
    (await pipeline.cards()).find(({ content }) => content.startsWith('and 5 more from ')),
  );
  expect(counted.embeds).toEqual([]);
  const posted = (await pipeline.cards()).flatMap(({ embeds }) => embeds[0]?.title ?? []);
  const left = titles.find((title) => !posted.includes(title)) ?? '';
  await change('Done', left);
  expect((await pipeline.cards()).at(-1).embeds[0]).toMatchObject({ title: left });
  expect(await db().livingCard.count()).toBe(11);
});

test('a card that lives does not go with a digest', async () => {
  const refused = await call('POST', '/api/app/rules', {
    databaseId: pipeline.story.board.dataSourceId,
    eventType: 'page_updated',
    channelId: pipeline.story.channel('tasks'),
    watchedProperties: ['Status'],
    card: 'quiet',
    timing: { kind: 'digest', every: 'hour' },
  });
  expect(refused).toMatchObject({
    status: 400,
    body: { error: 'timing cannot be a digest with card "quiet", whose cards are kept up to date' },
  });
});
