import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { listDeliveryRows } from '@/lib/testing/deliveries';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { DAY_MS, dayInUtc, HOUR_MS } from '@/lib/time';
import { reasonText } from '../deliveries/reasons';
import { MAX_EVENTS } from './load-past';

const GOLEM = 'Boss fight: ember golem';
const QUERY = '/query';

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(() => pipeline.clear());

const draft = (changes: Record<string, unknown> = {}) => ({
  databaseId: pipeline.story.board.dataSourceId,
  eventType: 'page_updated',
  channelId: pipeline.story.channel('tasks'),
  watchedProperties: ['Status'],
  ...changes,
});
const ask = (body: unknown, key: 'mira' | 'vera' = 'mira') =>
  pipeline.story.product.call(key, 'POST', '/api/app/rules/try', body);
const tried = async (changes: Record<string, unknown> = {}) => {
  const { status, body } = await ask({ rule: draft(changes), days: 7 });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};
const calls = (service: 'notion' | 'discord') => pipeline.story.product.control(service, 'GET', '/calls');

/** Adds events of the sprint board a minute ago, each about another page: these pages first, then made-up ones. */
async function addEvents(count: number, pageIds: string[] = []): Promise<void> {
  const [databaseId, status] = [pipeline.story.board.dataSourceId, pipeline.story.property('Status')];
  await db().$executeRaw`
    insert into notion_event (workspace_id, id, type, page_id, database_id, authors, updated_properties, occurred_at,
      processed_at, outcome)
    select w.id, gen_random_uuid(), 'page.properties_updated', coalesce((${pageIds}::text[])[n], gen_random_uuid()::text),
      ${databaseId}, '{}', array[${status}], now() - interval '1 minute', now(), 'no_rules'
    from (select id from notion_workspace order by connected_at limit 1) w, generate_series(1, ${count}::int) n`;
}

test('says what the log of the same rule says, or that nobody knows it', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog', Priority: 'Low' });
  const terms = [
    { statusTo: ['Done', 'In progress'] },
    { conditions: { match: 'all', items: [{ propertyId: 'Priority', operator: 'is', values: ['High'] }] } },
    {
      conditions: { match: 'all', items: [{ propertyId: 'Status', operator: 'changed', from: ['Backlog'] }] },
    },
    { eventType: 'page_created', watchedProperties: [] },
  ];
  const rules = [];
  for (const each of terms) rules.push(await pipeline.rule(each));
  for (const change of [
    { Status: 'In progress' },
    { Priority: 'High' },
    { Estimate: 3 },
    { Status: 'In review' },
  ]) {
    await pipeline.edit(GOLEM, change);
    await pipeline.idle();
  }
  const logged = await listDeliveryRows();
  const outcomes: string[] = [];
  for (const [nth, rule] of rules.entries()) {
    const { events, cards, unknown, perDay, items, note } = await tried(terms[nth]);
    const log = logged.filter(({ ruleId }) => ruleId === rule.id);
    expect(events).toBe(log.length);
    const stored = await db().notionEvent.findMany({
      where: { id: { in: log.map(({ eventId }) => eventId ?? '') } },
    });
    for (const item of items) {
      outcomes.push(item.outcome);
      if (item.outcome === 'unknown') continue;
      const event = stored.find(({ occurredAt }) => occurredAt.toISOString() === item.at);
      const entry = log.find(({ eventId }) => eventId === event?.id);
      const isSent = entry?.state === 'sent';
      const reason = isSent
        ? null
        : reasonText({ state: 'skipped', reasonCode: entry?.reason ?? '', reason: null, triedAt: null });
      expect(item).toMatchObject({ outcome: isSent ? 'posted' : 'skipped', reason });
    }
    expect(cards).toBe(items.filter(({ outcome }: { outcome: string }) => outcome === 'posted').length);
    expect(unknown).toBe(items.filter(({ outcome }: { outcome: string }) => outcome === 'unknown').length);
    expect(perDay).toHaveLength(7);
    expect(perDay.at(-1)).toEqual({ date: new Date().toISOString().slice(0, 10), cards });
    expect(note).toBeNull();
  }
  expect(new Set(outcomes)).toContain('posted');
  expect(outcomes.filter((outcome) => outcome === 'unknown').length).toBeLessThan(outcomes.length / 3);
});

describe('a rule that nobody had', () => {
  test('is tried on what was stored without it, with what changed where it is known', async () => {
    await pipeline.prepare(GOLEM, { Status: 'Backlog' });
    await pipeline.edit(GOLEM, { Status: 'In progress' });
    await pipeline.edit(GOLEM, { Status: 'Done' });
    const first = await tried({ statusTo: ['Done'] });
    expect(first).toMatchObject({ events: 2, cards: 1, unknown: 1 });
    expect(first.items).toMatchObject([
      {
        title: GOLEM,
        outcome: 'posted',
        reason: null,
        changes: [{ property: 'Status', before: null, after: 'Done' }],
      },
      {
        title: GOLEM,
        outcome: 'unknown',
        reason: expect.stringContaining('Nobody kept what “Status” was then'),
      },
    ]);
    expect(first.items[0].url).toContain('http');
    const second = await tried({ eventType: 'page_created', watchedProperties: [] });
    expect(second).toMatchObject({ events: 2, cards: 0, unknown: 0 });
    const fewer = await ask({ rule: draft(), days: 1 });
    expect(fewer.body.perDay).toHaveLength(1);
  });

  test('stores nothing, sends nothing and counts nothing', async () => {
    await pipeline.edit(GOLEM, { Status: 'In review' });
    await pipeline.edit(GOLEM, { Status: 'Done' });
    await pipeline.story.product.control('discord', 'DELETE', '/calls');
    expect((await tried()).cards).toBe(2);
    const { calls: made } = await calls('discord');
    expect(Object.keys(made).filter((call) => !call.startsWith('GET'))).toEqual([]);
    for (const table of [db().rule, db().decision, db().message, db().pageSnapshot, db().usagePeriod]) {
      expect(await (table as { count(): Promise<number> }).count()).toBe(0);
    }
  });

  test('of a page that is not there any more is not known', async () => {
    await addEvents(1);
    expect(await tried()).toMatchObject({ events: 1, cards: 0, unknown: 1, note: null });
    expect((await tried()).items[0]).toMatchObject({
      title: 'A page',
      url: null,
      reason: expect.stringContaining('in the trash'),
    });
  });
});

describe('when Notion', () => {
  test.each([
    ['is slow', 'Backlog', { kind: 'slow', delayMs: 6000 }],
    ['fails', 'In review', { kind: 'fail', status: 503 }],
    ['wants a pause', 'Done', { kind: 'fail', status: 429, retryAfterSeconds: 600 }],
  ] as const)('%s, it answers with what it knows and says how far it looked', async (_, status, fault) => {
    await pipeline.edit(GOLEM, { Status: status });
    pipeline.fault({ target: 'notion', match: QUERY, times: 0, ...fault });
    const answer = await tried();
    expect(answer).toMatchObject({ events: 1, cards: 0, unknown: 1 });
    expect(answer.items[0].reason).toBe('Notion did not return the page in time.');
    expect(answer.note).toBe(
      'In the time it has, it looked at 0 pages; 1 page with events was not among them.',
    );
    pipeline.story.product.sandbox.context.faults.clear();
    // A pause applies to every call of the connection.
    const before = (await calls('notion'))[
      `POST /v1/data_sources/${pipeline.story.board.dataSourceId}/query`
    ];
    const isPaused = 'status' in fault && fault.status === 429;
    expect((await tried()).cards).toBe(isPaused ? 0 : 1);
    const after = (await calls('notion'))[`POST /v1/data_sources/${pipeline.story.board.dataSourceId}/query`];
    expect(after - before).toBe(isPaused ? 0 : 1);
  });

  test('returns a page in an unknown shape, the page does not count as gone', async () => {
    await addEvents(1);
    pipeline.fault({ target: 'notion', match: 'GET /v1/pages/', kind: 'reshape', times: 0 });
    const answer = await tried();
    expect(answer).toMatchObject({ events: 1, cards: 0, unknown: 1, note: null });
    expect(answer.items[0].reason).toBe('Pagewire cannot read what Notion returned of the page.');
  });

  test('returns the list of pages in an unknown shape, it looks at the pages themselves', async () => {
    await pipeline.prepare(GOLEM, { Status: 'Backlog' });
    await pipeline.edit(GOLEM, { Status: 'In progress' });
    pipeline.fault({ target: 'notion', match: QUERY, kind: 'reshape', times: 0 });
    expect(await tried()).toMatchObject({ events: 1, cards: 1, unknown: 0, note: null });
  });

  test('does not even show the database in time, it says so', async () => {
    pipeline.fault({ target: 'notion', match: 'GET /v1/data_sources', kind: 'slow', delayMs: 6000 });
    const { status, body } = await ask({ rule: draft() });
    expect({ status, body }).toMatchObject({
      status: 502,
      body: { error: expect.stringContaining('takes too long') },
    });
  });
});

test('looks at a part of very many pages, within the calls that Notion allows', async () => {
  const rows = await pipeline.story.product.control('notion', 'GET', '/rows?database=Sprint%20board');
  await addEvents(
    MAX_EVENTS + 1,
    rows.map(({ id }: { id: string }) => id),
  );
  await pipeline.story.product.control('notion', 'DELETE', '/calls');
  const answer = await tried();
  expect(answer.events).toBe(MAX_EVENTS);
  expect(answer.cards).toBeLessThanOrEqual(rows.length);
  expect(answer.unknown).toBe(MAX_EVENTS - answer.cards);
  expect(answer.items).toHaveLength(300);
  expect(answer.note).toMatch(
    /^There were more events: .* it looked at \d+ pages; 4,\d+ pages .* The newest 300 events are listed\.$/,
  );
  const asked: Record<string, number> = await calls('notion');
  expect(Object.values(asked).reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(13);
});

describe('is refused', () => {
  test('for what it cannot read, with a sentence that names the field', async () => {
    const compared = { propertyId: 'Status', operator: 'greater', values: [1] };
    const bodies: [unknown, string][] = [
      [{ days: 7 }, 'rule'],
      [{ rule: 'all', days: 7 }, 'rule'],
      ...[0, 8, 1.5, 'all'].map((days): [unknown, string] => [{ rule: draft(), days }, 'days']),
      [{ rule: draft(), more: 1 }, 'more'],
      [{ rule: draft({ databaseId: '' }) }, 'database'],
      [{ rule: draft({ eventType: 'page_eaten' }) }, 'eventType'],
      [{ rule: draft({ watchedProperties: [] }) }, 'property'],
      [{ rule: draft({ watchedProperties: ['Speed'] }) }, 'Speed'],
      [{ rule: draft({ conditions: { items: [compared] } }) }, 'conditions.items'],
      [{ rule: draft({ name: 5 }) }, 'name'],
    ];
    for (const [body, field] of bodies) {
      const { status, body: answer } = await ask(body);
      expect({ body, status, answer }).toMatchObject({
        status: 400,
        answer: { error: expect.stringContaining(field) },
      });
    }
  });

  test('for the database of another account, and without a connection', async () => {
    const foreign = (await pipeline.story.product.databases()).get('Night market')?.dataSourceId;
    expect(await ask({ rule: draft({ databaseId: foreign }) })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await ask({ rule: draft() }, 'vera')).toMatchObject({
      status: 409,
      body: { code: 'not_connected' },
    });
  });

  test('after ten within a minute', async () => {
    expect((await ask({ rule: draft() })).status).toBe(200);
    // On a busy machine the minute may be over before the eleventh.
    await db().callCount.updateMany({ data: { endsAt: new Date(Date.now() + HOUR_MS) } });
    for (let nth = 1; nth < 10; nth += 1) expect((await ask({ rule: draft() })).status).toBe(200);
    expect(await ask({ rule: draft() })).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  });
});

test('counts the days before today, and no event from before them', async () => {
  await addEvents(2);
  const [old] = await db().notionEvent.findMany({ take: 1 });
  await db().notionEvent.updateMany({
    where: { id: old?.id ?? '' },
    data: { occurredAt: new Date(Date.now() - 8 * DAY_MS) },
  });
  expect((await tried()).events).toBe(1);
});

test('a rule that a clock fires is tried on its pages as they are now', async () => {
  await pipeline.edit(GOLEM, {
    'Due date': dayInUtc(new Date(Date.now() + DAY_MS)),
  });
  const byClock = (eventType: string, schedule: object) =>
    tried({ eventType, schedule, watchedProperties: [] });
  const near = await byClock('date_near', { propertyId: 'Due date', days: 1, at: '00:00' });
  expect(near.items).toContainEqual(expect.objectContaining({ title: GOLEM, outcome: 'posted' }));
  expect(near).toMatchObject({ digests: null, note: null, unknown: 0 });
  const list = await byClock('summary', { every: 'day', at: '00:00', skipEmpty: false });
  expect(list).toMatchObject({
    events: 7,
    cards: 7,
    note: 'It is unknown how many pages each summary would have listed.',
  });
  expect(list.items[0]).toMatchObject({ title: 'Sprint board', outcome: 'posted', url: null });
});
