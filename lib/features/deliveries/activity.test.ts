import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { db } from '@/lib/db/database';
import { Chatter, type ShownMessage } from '@/lib/testing/chat';
import { addEntry, YESTERDAY } from '@/lib/testing/log-entries';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { toggleKey } from '@/lib/testing/toggle-key';
import { DAY_MS } from '@/lib/time';
import { sealSummary } from '../matching/summary';
import { activityPageSchema, lookedBackTo } from './schema';

let pipeline: Pipeline;
let tasks: string;
let bugs: string;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.clear();
  tasks = (await pipeline.rule()).id;
  bugs = (await pipeline.rule({ channelId: pipeline.story.channel('bugs') })).id;
});

type Query = Record<string, string | number>;
const call = (query: Query = {}, key: 'mira' | 'vera' = 'mira') => {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return pipeline.story.product.call(key, 'GET', `/api/app/activity?${text}`);
};
const read = async (query: Query = {}, key: 'mira' | 'vera' = 'mira') => {
  const { status, body } = await call(query, key);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return activityPageSchema.parse(body);
};
const titles = ({ items }: { items: { title: string }[] }) => items.map(({ title }) => title);

/** The titles on all pages of an answer, read one after the other. */
async function readAll(query: Query, key: 'mira' | 'vera' = 'mira'): Promise<string[]> {
  const found: string[] = [];
  let before = query['before'] ?? '';
  for (;;) {
    const page = await read({ ...query, before }, key);
    found.push(...titles(page));
    if (page.next === null) return found;
    before = page.next;
  }
}

/** Whether nothing comes after a page. On a busy machine, a search may end before it has looked at everything. */
const isLast = async ({ next }: { next: string | null }) =>
  next === null || (await readAll({ before: next })).length === 0;

test('an item says when, which page, what changed, where it went and what became of it', async () => {
  const { workspaceId } = await db().rule.findUniqueOrThrow({ where: { id: tasks } });
  await db().notionEvent.create({
    data: { workspaceId, id: 'e1', type: 'page.properties_updated', pageId: 'p', occurredAt: YESTERDAY },
  });
  const id = await addEntry(tasks, { state: 'sent', title: 'Boss fight', eventId: 'e1' });
  const { body } = await call();
  expect(body.items).toEqual([
    {
      id,
      at: YESTERDAY.toISOString(),
      eventType: 'page_updated',
      pageId: 'p',
      title: 'Boss fight',
      url: 'https://notion.so/page',
      ruleId: tasks,
      ruleName: 'Sprint board → #tasks',
      channelId: pipeline.story.channel('tasks'),
      channelName: 'tasks',
      place: '#tasks',
      outcome: 'posted',
      reason: null,
      changes: [{ property: 'Status', before: 'In progress', after: 'Done' }],
    },
  ]);
  expect(await isLast(body)).toBe(true);
});

test('an entry keeps its event when its rule is for a clock now', async () => {
  const { workspaceId } = await db().rule.findUniqueOrThrow({ where: { id: tasks } });
  await db().notionEvent.create({
    data: { workspaceId, id: 'e2', type: 'page.properties_updated', pageId: 'p', occurredAt: YESTERDAY },
  });
  await addEntry(tasks, { state: 'sent', title: 'Boss fight', eventId: 'e2' });
  const schedule = { every: 'day', at: '09:00' };
  const terms = { eventType: 'summary', schedule, watchedProperties: [] };
  const { databaseId, channelId } = await db().rule.findUniqueOrThrow({ where: { id: tasks } });
  const edited = await pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${tasks}`, {
    databaseId,
    channelId,
    ...terms,
  });
  expect(edited.status).toBe(200);
  await addEntry(tasks, { state: 'sent', title: 'Sprint board', eventId: 'clock:summary' });
  expect((await read()).items.map(({ title, eventType }) => [title, eventType])).toEqual([
    ['Sprint board', 'summary'],
    ['Boss fight', 'page_updated'],
  ]);
});

test('all rules are told in one list, newest first, and the pages follow one another while newer ones come', async () => {
  for (let index = 1; index <= 7; index += 1) {
    await addEntry(index % 3 ? tasks : bugs, { state: 'sent', title: `page ${index}` });
  }
  const first = await read({ limit: 3 });
  await addEntry(bugs, { state: 'sent', title: 'newer' });
  const second = await read({ limit: 3, before: first.next ?? '' });
  await db().decision.deleteMany({ where: { id: second.items.at(-1)?.id ?? '' } });
  const third = await read({ limit: 3, before: second.next ?? '' });
  expect([first, second, third].map(titles)).toEqual([
    ['page 7', 'page 6', 'page 5'],
    ['page 4', 'page 3', 'page 2'],
    ['page 1'],
  ]);
  expect(await isLast(third)).toBe(true);
  expect(await isLast(await read({ limit: 8 }))).toBe(true);
});

test('without a filter the whole log is looked at, however long that takes', async () => {
  let now = 0;
  // Each look at the clock is a second after the one before.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  expect(await read()).toEqual({ items: [], next: null });
  clock.mockRestore();
});

test('another account sees nothing of it, also not by the ids of its rules and channels', async () => {
  await addEntry(tasks, { state: 'failed', title: 'ours' });
  await addEntry(bugs, { state: 'waiting', title: 'ours too' });
  await addEntry(bugs, { state: 'settling', title: 'ours as well' });
  const queries: Query[] = [
    {},
    { rule: tasks },
    { channel: pipeline.story.channel('tasks') },
    { text: 'ours' },
    ...['posted', 'settling', 'waiting', 'held', 'failed', 'skipped'].map((outcome) => ({ outcome })),
  ];
  for (const query of queries) expect(await readAll(query, 'vera')).toEqual([]);
});

describe('the filters', () => {
  const OUTCOMES = ['posted', 'settling', 'waiting', 'held', 'failed', 'skipped'];

  beforeEach(async () => {
    for (const rule of [tasks, bugs]) {
      for (const outcome of OUTCOMES) {
        const state = outcome === 'posted' ? 'sent' : outcome;
        await addEntry(rule, { state, title: `${outcome} by ${rule === tasks ? 'tasks' : 'bugs'}` });
      }
    }
    await db().$executeRaw`
      insert into channel_turn (channel_id, account_id)
      select distinct target_id, account_id from message where state = 'waiting' on conflict do nothing`;
  });

  test.each(OUTCOMES)('%s', async (outcome) => {
    expect(titles(await read({ outcome }))).toEqual([`${outcome} by bugs`, `${outcome} by tasks`]);
    expect(titles(await read({ outcome, rule: tasks }))).toEqual([`${outcome} by tasks`]);
    expect(await readAll({ outcome, limit: 1 })).toEqual([`${outcome} by bugs`, `${outcome} by tasks`]);
  });

  test('by rule and by channel', async () => {
    const byRule = titles(await read({ rule: bugs }));
    expect(byRule).toHaveLength(OUTCOMES.length);
    expect(byRule.every((title) => title.endsWith('by bugs'))).toBe(true);
    expect(titles(await read({ channel: pipeline.story.channel('bugs') }))).toEqual(byRule);
    // A card stays where it was posted when its rule moves on.
    await addEntry(bugs, { state: 'sent', title: 'elsewhere', channelId: pipeline.story.channel('tasks') });
    expect(titles(await read({ channel: pipeline.story.channel('tasks') }))[0]).toBe('elsewhere');
    expect(titles(await read({ rule: bugs }))[0]).toBe('elsewhere');
    expect((await read({ channel: '1' })).items).toEqual([]);
    expect((await read({ rule: randomUUID() })).items).toEqual([]);
  });

  test('by a part of the title, whatever its case, and with the other filters', async () => {
    expect(titles(await read({ text: 'SETTLING by' }))).toEqual(['settling by bugs', 'settling by tasks']);
    expect(titles(await read({ text: 'by bugs', outcome: 'held' }))).toEqual(['held by bugs']);
    expect(titles(await read({ text: '100% (nobody)' }))).toEqual([]);
    await addEntry(bugs, { state: 'sent', title: 'in the cafe\u0301' });
    expect(titles(await read({ text: 'CAF\u00c9' }))).toEqual(['in the cafe\u0301']);
  });

  test('by who caused the event', async () => {
    const { workspaceId } = await db().rule.findUniqueOrThrow({ where: { id: tasks } });
    await db().notionEvent.create({
      data: {
        workspaceId,
        id: 'e2',
        type: 'page.created',
        pageId: 'p',
        occurredAt: YESTERDAY,
        authors: ['somebody', 'jonas'],
      },
    });
    await addEntry(tasks, { state: 'sent', title: 'by jonas', eventId: 'e2' });
    expect(titles(await read({ person: 'jonas' }))).toEqual(['by jonas']);
    expect(titles(await read({ person: 'mira' }))).toEqual([]);
  });

  test('an empty one counts as absent', async () => {
    const empty = { before: '', rule: '', channel: '', outcome: '', person: '', text: '' };
    expect((await read(empty)).items).toEqual((await read()).items);
  });
});

test('what somebody did with a button in Discord is found by who did it, and not by others', async () => {
  const { product } = pipeline.story;
  await pipeline.prepare('Boss fight: ember golem', { Status: 'In progress' });
  await product.work();
  await pipeline.edit('Boss fight: ember golem', { Status: 'In review' });
  await pipeline.idle();
  const [card] = (await pipeline.cards()) as ShownMessage[];
  const mira = new Chatter(product, 'mira', pipeline.story.channel('tasks'));
  await pipeline.told(async () => {
    await mira.press(card as ShownMessage, 'Change status');
    await mira.choose(await mira.answer(), 'Done');
  });
  await pipeline.idle();
  await product.rest();
  const { users } = (await product.call('mira', 'GET', '/api/app/notion/workspace')).body;
  const idOf = (name: string) => users.find((user: { name: string }) => user.name === name).id;
  const done = async (person: string) =>
    (await read({ person: idOf(person), rule: bugs })).items.map(({ changes }) => changes.at(-1)?.after);
  expect(await done('Mira Castellan')).toContain('Done');
  expect(await done('Jonas Brandt')).not.toContain('Done');
});

test('a search looks at a part of many entries, says how far it went, and goes on there', async () => {
  const { accountId } = await db().rule.findUniqueOrThrow({ where: { id: tasks } });
  const oldest = await addEntry(tasks, { state: 'sent', title: 'The needle' });
  await db().$executeRaw`
    insert into decision (id, event_at, account_id, rule_id, event_id, page_id, outcome)
    select gen_random_uuid(), now() - interval '1 hour', ${accountId}::uuid, ${tasks}::uuid, 'e-' || n, 'p', 'unchanged'
    from generate_series(1, 10000) n`;
  await addEntry(bugs, { state: 'sent', title: 'A needle of today' });
  const first = await read({ text: 'needle', limit: 1 });
  expect(titles(first)).toEqual(['A needle of today']);
  let page = await read({ text: 'needle', before: first.next ?? '' });
  if (page.next !== null) expect(lookedBackTo(page.next).getTime()).toBeLessThan(Date.now());
  while (page.items.length === 0) page = await read({ text: 'needle', before: page.next ?? '' });
  expect(page).toMatchObject({ items: [{ id: oldest }], next: null });
});

test('changes that another rule’s card told are told of both, and what waits to be told is not posted', async () => {
  const carrier = await addEntry(tasks, { state: 'sent', title: 'carrier' });
  const gathered = await addEntry(bugs, { state: 'skipped', reason: 'gathered', title: 'gathered' });
  await db().decision.updateMany({ where: { id: gathered }, data: { messageId: carrier } });
  expect(titles(await read({ outcome: 'posted' }))).toEqual(['gathered', 'carrier']);
  expect(titles(await read({ outcome: 'skipped' }))).toEqual([]);
  await db().message.updateMany({ data: { state: 'waiting' } });
  expect(titles(await read({ outcome: 'posted' }))).toEqual([]);
  expect(titles(await read({ outcome: 'skipped' }))).toEqual(['gathered']);
});

test('after thirty days what was said is still listed, without its details, and the pages go on there', async () => {
  const longAgo = new Date(Date.now() - 40 * DAY_MS);
  for (const state of ['sent', 'failed', 'skipped']) {
    await addEntry(tasks, { state, title: state, eventAt: longAgo });
    await addEntry(bugs, { state, title: state, eventAt: longAgo });
  }
  await db().decision.deleteMany();
  await addEntry(bugs, { state: 'skipped', title: 'lately' });
  expect(await readAll({ limit: 2 })).toEqual(['lately', 'A page', 'A page', 'A page', 'A page']);
  expect((await read({ outcome: 'posted' })).items).toHaveLength(2);
  expect((await read({ outcome: 'failed', rule: tasks })).items).toHaveLength(1);
});

test('long details end a page early, and the next one goes on', async () => {
  const changes = Array.from({ length: 25 }, (_, index) => ({
    name: `${index}`.padEnd(200, 'n'),
    before: 'b'.repeat(290),
    after: 'a'.repeat(290),
  }));
  for (let index = 0; index < 40; index += 1) {
    const id = await addEntry(index % 2 ? tasks : bugs, { state: 'sent', title: `page ${index}` });
    const sealedSummary = sealSummary(id, { title: `page ${index}`, url: null, changes, moreChanges: 0 });
    await db().decision.updateMany({ where: { id }, data: { sealedSummary } });
  }
  const first = await read();
  expect(first.items.length).toBeLessThan(30);
  expect(first.next).not.toBeNull();
  expect(await readAll({})).toEqual(Array.from({ length: 40 }, (_, index) => `page ${39 - index}`));
});

test('while the keys are changed, an entry is listed without its title, and no search finds it', async () => {
  await addEntry(tasks, { state: 'sent', title: 'Sealed' });
  await toggleKey('decision', 'sealed_summary');
  expect(titles(await read())).toEqual(['A page']);
  expect(titles(await read({ text: 'sealed' }))).toEqual([]);
});

test.each<Query>([
  { before: '12' },
  { before: 'x.1' },
  { rule: 'mine' },
  { channel: 'c'.repeat(41) },
  { outcome: 'sent' },
  { person: 'p'.repeat(65) },
  { text: 't'.repeat(201) },
])('the query %o is refused with a sentence that names the field', async (query) => {
  const [field] = Object.keys(query);
  expect(await call(query)).toMatchObject({
    status: 400,
    body: { code: 'invalid_input', error: expect.stringContaining(field as string) },
  });
});

test('a limit that is refused is told what it may be', async () => {
  const error = 'limit must be a whole number from 1 to 100';
  for (const limit of [0, 101, 2.5, 'x']) {
    expect(await call({ limit })).toMatchObject({ status: 400, body: { code: 'invalid_input', error } });
  }
});

describe('one delivery', () => {
  const one = (rule: string, id: string, key: 'mira' | 'vera' = 'mira') =>
    pipeline.story.product.call(key, 'GET', `/api/app/rules/${rule}/deliveries/${id}`);

  test('is told as in the list of its rule, also when it is old', async () => {
    const id = await addEntry(tasks, { state: 'failed', title: 'failed', reason: 'No.' });
    const old = await addEntry(tasks, { state: 'sent', eventAt: new Date(Date.now() - 40 * DAY_MS) });
    await db().decision.deleteMany({ where: { id: old } });
    const { body } = await pipeline.story.product.call('mira', 'GET', `/api/app/rules/${tasks}/deliveries`);
    expect(body.deliveries).toHaveLength(2);
    for (const [index, each] of [old, id].entries()) {
      const listed = body.deliveries.find((entry: { id: string }) => entry.id === each);
      expect(listed, `${index}`).toBeDefined();
      expect(await one(tasks, each)).toMatchObject({ status: 200, body: listed });
    }
  });

  test('of another rule, of another account, and one that is not there, is not found', async () => {
    const id = await addEntry(tasks, { state: 'sent', title: 'sent' });
    const answers = [
      await one(bugs, id),
      await one(tasks, id, 'vera'),
      await one(tasks, randomUUID()),
      await one('x', id),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });
});
