import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { listDeliveryRows } from '@/lib/testing/deliveries';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { settlesAt } from '../matching/settle';
import { openSummary } from '../matching/summary';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const at = (ms: number) => new Date(Date.UTC(2026, 10, 21) + ms);

describe('a new page', () => {
  const page = { createdAt: at(0), lastEventAt: at(0), title: 'Lava level', lastEditedAt: at(0) };
  test.each<[string, Partial<typeof page>, number]>([
    ['has settled twenty seconds after its creation', {}, 20 * SECOND],
    ['has settled twenty seconds after the last event', { lastEventAt: at(15 * SECOND) }, 35 * SECOND],
    [
      'has settled after two minutes, however often it is touched',
      { lastEventAt: at(119 * SECOND), lastEditedAt: at(MINUTE) },
      2 * MINUTE,
    ],
    ['has settled after two minutes without a title', { title: '' }, 2 * MINUTE],
    [
      'settled long ago when its events come late',
      { lastEditedAt: at(-10 * MINUTE) },
      -9 * MINUTE + 20 * SECOND,
    ],
  ])('%s', (_, change, expected) => {
    expect(settlesAt({ ...page, ...change })).toEqual(at(expected));
  });
});

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.settle();
  await pipeline.clear();
});

const onCreate = (changes: Record<string, unknown> = {}) =>
  pipeline.rule({ eventType: 'page_created', ...changes });
const create = async (properties: Record<string, unknown>) => {
  const event = await pipeline.told(() =>
    pipeline.story.product.control('notion', 'POST', '/rows', { database: 'Sprint board', properties }),
  );
  await pipeline.idle();
  return event.payload.entity.id;
};
const titles = async (channel = 'tasks') =>
  (await pipeline.cards(channel)).map(({ embeds }) => embeds[0].title);
const deliveries = async () => {
  const rows = await listDeliveryRows('event');
  return rows.map(({ state, reason }) => (reason ? `${state}: ${reason}` : state));
};

describe('a rule for new pages', () => {
  test('waits until the page has settled, and then shows its values of that time', async () => {
    await onCreate({ displayedFields: ['Priority'] });
    const page = await create({});
    expect(await deliveries()).toEqual(['settling']);
    await pipeline.edit(page, { Name: 'Lava level' });
    await pipeline.edit(page, { Priority: 'High' });
    await pipeline.idle();
    expect(await titles()).toEqual([]);
    await pipeline.settle();
    const [card, ...more] = await pipeline.cards();
    expect(more).toEqual([]);
    expect(card.embeds[0]).toMatchObject({
      title: 'Lava level',
      fields: [{ name: 'Priority', value: 'High' }],
    });
    expect(card.embeds[0].description).toMatch(/^Created by /);
    expect(await deliveries()).toEqual(['sent', 'skipped: not_created', 'skipped: not_created']);
  });

  test('posts a page that never gets a title after two minutes, and completes its card when it does', async () => {
    await onCreate();
    const page = await create({});
    await pipeline.settle();
    expect(await titles()).toEqual(['Untitled']);
    await pipeline.edit(page, { Name: 'Named at last' });
    await pipeline.idle();
    expect(await titles()).toEqual(['Named at last']);
    await pipeline.edit(page, { Name: 'Named again' });
    await pipeline.settle();
    expect(await titles()).toEqual(['Named at last']);
  });

  test('posts at once when it is set to, and completes the card by an edit', async () => {
    await onCreate({ atOnce: true, displayedFields: ['Priority'] });
    const page = await create({});
    const [early] = await pipeline.cards();
    expect(early.embeds[0].title).toBe('Untitled');
    await pipeline.edit(page, { Name: 'Lava level' });
    await pipeline.edit(page, { Priority: 'High' });
    await pipeline.settle();
    const cards = await pipeline.cards();
    expect(cards.map(({ id }) => id)).toEqual([early.id]);
    expect(cards[0].embeds[0]).toMatchObject({ title: 'Lava level', fields: [{ value: 'High' }] });
    expect(cards[0].embeds[0].description).toMatch(/^Created by /);
    const [delivery] = (await listDeliveryRows()).filter(({ state }) => state === 'sent');
    const { id, sealedSummary, isEarly } = delivery ?? {};
    expect(isEarly).toBe(false);
    expect(openSummary(id ?? '', sealedSummary ?? new Uint8Array()).title).toBe('Lava level');
  });

  test('edits the card later when Discord refuses, and posts no second one', async () => {
    await onCreate({ atOnce: true });
    const page = await create({});
    pipeline.fault({ target: 'discord', kind: 'fail', match: 'PATCH .*/messages', times: 2, status: 503 });
    await pipeline.edit(page, { Name: 'Lava level' });
    await pipeline.settle();
    expect(await titles()).toEqual(['Lava level']);
  });

  test('leaves alone a card that was deleted meanwhile', async () => {
    await onCreate({ atOnce: true });
    const page = await create({});
    const [card] = await pipeline.cards();
    pipeline.fault({ target: 'discord', kind: 'fail', match: 'PATCH .*/messages', times: 9, status: 404 });
    await pipeline.edit(page, { Name: 'Lava level' });
    await pipeline.settle();
    expect((await pipeline.cards()).map(({ id }) => id)).toEqual([card.id]);
    expect(await db().decision.count({ where: { isEarly: true } })).toBe(0);
  });

  test('posts nothing of a page that went into the trash before it settled', async () => {
    await onCreate();
    const page = await create({ Name: 'Second thoughts' });
    await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows/trash', { page }));
    await pipeline.settle();
    expect(await titles()).toEqual([]);
    expect(await deliveries()).toEqual(['skipped: page_trashed', 'skipped: page_trashed']);
  });

  test('posts a page once, whatever else reports its creation', async () => {
    await onCreate();
    const pageId = await create({ Name: 'Told twice' });
    await pipeline.send({ pageId, type: 'page.created' });
    await pipeline.settle();
    await pipeline.send({ pageId, type: 'page.created' });
    await pipeline.settle();
    expect(await titles()).toEqual(['Told twice']);
    expect(await deliveries()).toEqual(['sent', 'skipped: already_posted', 'skipped: already_posted']);
  });

  test('posts nothing when it is switched off before the page has settled', async () => {
    const { id } = await onCreate();
    await create({ Name: 'Too late' });
    await pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${id}`, { enabled: false });
    await pipeline.settle();
    expect(await deliveries()).toEqual(['skipped: rule_off']);
  });

  test.each([
    ['something else', () => ({ eventType: 'page_updated', watchedProperties: ['Status'] })],
    ['another database', () => ({ databaseId: pipeline.story.docs.dataSourceId, eventType: 'page_created' })],
  ])('posts nothing when it is edited to be about %s before the page has settled', async (_, terms) => {
    const { id } = await onCreate();
    await create({ Name: 'Out of date' });
    const edited = { databaseId: pipeline.story.board.dataSourceId, ...terms() };
    const answer = await pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${id}`, {
      channelId: pipeline.story.channel('tasks'),
      ...edited,
    });
    expect(answer.status).toBe(200);
    await pipeline.settle();
    expect(await deliveries()).toEqual(['skipped: other_event']);
  });

  test('is forgotten with its unsettled pages when it is deleted', async () => {
    const { id } = await onCreate();
    await create({ Name: 'Nobody asked' });
    await pipeline.story.product.call('mira', 'DELETE', `/api/app/rules/${id}`);
    await pipeline.settle();
    expect(await titles()).toEqual([]);
    expect(await listDeliveryRows()).toEqual([]);
    expect(await db().pageTurn.count()).toBe(0);
  });
});
