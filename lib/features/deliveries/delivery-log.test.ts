import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seal } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import { addEntry, YESTERDAY } from '@/lib/testing/log-entries';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { DAY_MS } from '@/lib/time';
import { reasonText } from './reasons';

let pipeline: Pipeline;
let ruleId = '';

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.clear();
  ruleId = (await pipeline.rule()).id;
});

const decided = (draft: Parameters<typeof addEntry>[1]) => addEntry(ruleId, draft);

const read = (query = '', key: 'mira' | 'vera' = 'mira', rule = ruleId) =>
  pipeline.story.product.call(key, 'GET', `/api/app/rules/${rule}/deliveries${query}`);
const titles = (body: { deliveries: { title: string }[] }) => body.deliveries.map(({ title }) => title);

test('an entry says what changed, when, where, and links the page and the message', async () => {
  const { workspaceId } = await db().rule.findUniqueOrThrow({ where: { id: ruleId } });
  await db().notionEvent.create({
    data: { workspaceId, id: 'e1', type: 'page.properties_updated', pageId: 'p', occurredAt: YESTERDAY },
  });
  const id = await decided({ state: 'sent', title: 'Boss fight', messageId: '77', eventId: 'e1' });
  const { body } = await read();
  const { discord } = pipeline.story.product.sandbox.context.urls;
  const channelId = pipeline.story.channel('tasks');
  expect(body).toEqual({
    deliveries: [
      {
        id,
        state: 'sent',
        reason: null,
        reasonCode: null,
        title: 'Boss fight',
        url: 'https://notion.so/page',
        changes: [{ name: 'Status', before: 'In progress', after: 'Done' }],
        moreChanges: 0,
        areDetailsGone: false,
        at: YESTERDAY.toISOString(),
        finishedAt: null,
        eventType: 'page_updated',
        channelId,
        channelName: 'tasks',
        place: '#tasks',
        people: [],
        nextTryAt: null,
        attempts: 0,
        messageUrl: `${discord}/channels/${pipeline.story.guild.id}/${channelId}/77`,
        canResend: false,
      },
    ],
    nextCursor: null,
  });
});

test('pages follow one another without a gap or a double, while newer entries come', async () => {
  for (let index = 1; index <= 5; index += 1) await decided({ state: 'sent', title: `page ${index}` });
  const first = (await read('?limit=2')).body;
  await decided({ state: 'sent', title: 'newer' });
  const second = (await read(`?limit=2&before=${first.nextCursor}`)).body;
  const third = (await read(`?limit=2&before=${second.nextCursor}`)).body;
  expect([first, second, third].map(titles)).toEqual([
    ['page 5', 'page 4'],
    ['page 3', 'page 2'],
    ['page 1'],
  ]);
  expect(third.nextCursor).toBeNull();
});

test('the list narrows to what was posted, failed or skipped', async () => {
  for (const state of ['sent', 'failed', 'skipped', 'held', 'waiting', 'settling']) {
    await decided({ state, title: state });
  }
  expect(titles((await read('?show=all')).body)).toHaveLength(6);
  expect(titles((await read('?show=posted')).body)).toEqual(['sent']);
  expect(titles((await read('?show=failed')).body)).toEqual(['failed']);
  expect(titles((await read('?show=skipped')).body)).toEqual(['skipped']);
});

test('after thirty days what was said is still listed, without its details, and the pages go on there', async () => {
  const longAgo = new Date(Date.now() - 40 * DAY_MS);
  for (const state of ['sent', 'failed', 'skipped']) await decided({ state, title: state, eventAt: longAgo });
  await db().decision.deleteMany();
  await decided({ state: 'skipped', title: 'skipped lately' });
  await decided({ state: 'sent', title: 'sent lately' });
  const first = (await read('?limit=3')).body;
  const second = (await read(`?limit=3&before=${first.nextCursor}`)).body;
  const entries = [...first.deliveries, ...second.deliveries];
  expect(entries.map(({ state, areDetailsGone }) => [state, areDetailsGone])).toEqual([
    ['sent', false],
    ['skipped', false],
    ['failed', true],
    ['sent', true],
  ]);
  expect(entries.at(-1)).toMatchObject({ at: longAgo.toISOString(), eventType: null, canResend: false });
  expect((await read('?show=posted')).body.deliveries).toHaveLength(2);
  expect((await read('?show=failed')).body.deliveries).toHaveLength(1);
});

test('what was decided a month late is listed where it was decided, also beside a full page', async () => {
  await decided({ state: 'sent', title: 'page 1' });
  await decided({ state: 'sent', title: 'page 2' });
  await decided({ state: 'sent', title: 'late', eventAt: new Date(Date.now() - 31 * DAY_MS) });
  await decided({ state: 'sent', title: 'page 3' });
  const first = (await read('?limit=2')).body;
  const second = (await read(`?limit=2&before=${first.nextCursor}`)).body;
  const pages = [first, second].map(({ deliveries }) =>
    deliveries.map(
      (entry: { areDetailsGone: boolean; title: string }) => entry.areDetailsGone || entry.title,
    ),
  );
  expect(pages).toEqual([
    ['page 3', true],
    ['page 2', 'page 1'],
  ]);
});

test('a skipped entry says why, and keeps the code', async () => {
  await decided({ state: 'skipped', reason: 'filtered_by_status', title: 'Boss fight' });
  const [entry] = (await read()).body.deliveries;
  expect(entry).toMatchObject({
    state: 'skipped',
    reason: 'The status of the page is not one that the rule posts.',
    reasonCode: 'filtered_by_status',
  });
});

test('an entry without a summary still is one', async () => {
  await decided({
    state: 'waiting',
    reason: 'Discord did not answer.',
    nextTryAt: new Date(1_900_000_000_000),
  });
  const [entry] = (await read()).body.deliveries;
  expect(entry).toMatchObject({
    title: 'A page',
    url: null,
    changes: [],
    reason: 'Discord did not answer.',
    nextTryAt: '2030-03-17T17:46:40.000Z',
  });
});

test.each(['?limit=0', '?limit=101', '?limit=x', '?before=-1', '?before=x', '?before=', '?show=sent'])(
  'the query %s is refused with a sentence',
  async (query) => {
    expect(await read(query)).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_input',
        error: expect.stringMatching(/limit must be a whole number from 1 to 100|before|show/),
      },
    });
  },
);

describe('resending', () => {
  const resend = (id: string, key: 'mira' | 'vera' = 'mira', rule = ruleId) =>
    pipeline.story.product.call(key, 'POST', `/api/app/rules/${rule}/deliveries/${id}/resend`);

  test('is only for failed cards that are still there', async () => {
    const sent = await decided({ state: 'sent', title: 'sent' });
    const dropped = await decided({ state: 'failed', title: 'dropped' });
    for (const id of [sent, dropped]) {
      expect(await resend(id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    }
  });

  test('finds no delivery of another rule or account', async () => {
    const id = await decided({ state: 'failed', title: 'failed' });
    const other = (await pipeline.rule({ channelId: pipeline.story.channel('bugs') })).id;
    for (const answer of [
      await resend(id, 'vera'),
      await resend(id, 'mira', other),
      await resend(randomUUID()),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect((await db().message.findFirstOrThrow({ where: { id } })).state).toBe('failed');
  });
});

test('somebody else’s rule, and one that is not there, is not found', async () => {
  for (const answer of [
    await read('', 'vera'),
    await read('', 'mira', randomUUID()),
    await read('', 'mira', 'x'),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
});

test('a code that nobody knows yet still reads as a sentence', () => {
  expect(reasonText({ state: 'skipped', reasonCode: 'brand_new', reason: null, triedAt: null })).toBe(
    'Not posted (brand_new).',
  );
  const failed = { state: 'failed', reason: 'The channel was deleted.' };
  expect(reasonText({ ...failed, triedAt: null })).toBe('The channel was deleted.');
  expect(reasonText({ ...failed, triedAt: new Date() })).toBe(
    'The channel was deleted. The card may have been posted.',
  );
});

test('the card of a new page says for how long it waits at most', () => {
  expect(reasonText({ state: 'settling', reason: null, triedAt: null })).toBe(
    'The page is new. Its card waits until it has a title and nobody has edited it for 20 seconds, 2 minutes at most.',
  );
});

test('details that are no longer kept are said to be gone, and a failed card without them is not sent again', async () => {
  const sealedBody = Buffer.from('card');
  await decided({ state: 'sent' });
  await decided({ state: 'skipped', reason: 'unchanged' });
  const id = await decided({ state: 'failed' });
  const { body } = await read();
  const rows: { state: string; areDetailsGone: boolean; canResend: boolean }[] = body.deliveries;
  expect(
    rows
      .filter(({ areDetailsGone }) => areDetailsGone)
      .map(({ state }) => state)
      .sort(),
  ).toEqual(['failed', 'sent']);
  expect(rows.some(({ canResend }) => canResend)).toBe(false);
  const path = `/api/app/rules/${ruleId}/deliveries/${id}/resend`;
  const refused = await pipeline.story.product.call('mira', 'POST', path);
  expect(refused).toMatchObject({
    status: 409,
    body: { error: 'This card is no longer kept. A card that failed is kept for 30 days.' },
  });
  await db().message.updateMany({ where: { id }, data: { sealedBody } });
  expect((await pipeline.story.product.call('mira', 'POST', path)).status).toBe(200);
});

test('what was kept whole before values were cut is cut in the list, or left out when it is huge', async () => {
  const text = 'x'.repeat(20_000);
  const change = { name: text, before: text, after: text };
  const write = async (count: number) => {
    const id = await decided({ state: 'sent' });
    const whole = { title: text, url: null, changes: Array(count).fill(change) };
    const sealedSummary = seal(JSON.stringify(whole), `summary:${id}`);
    await db().decision.updateMany({ where: { id }, data: { sealedSummary } });
  };
  await write(3);
  await write(300);
  const [huge, long] = (await read()).body.deliveries;
  expect(huge).toMatchObject({ areDetailsGone: true, changes: [] });
  expect(long).toMatchObject({ areDetailsGone: false, changes: { length: 3 } });
  expect(long.title.length).toBeLessThanOrEqual(256);
  expect(long.changes[0].before.length).toBeLessThanOrEqual(300);
});
