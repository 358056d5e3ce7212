import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { databasePool, db } from '@/lib/db/database';
import { startConnectedProduct } from '@/lib/testing/product';
import { DAY_MS } from '@/lib/time';
import { runUpkeep } from './upkeep';

let story: Awaited<ReturnType<typeof startConnectedProduct>>;
let accountId: string;
let workspaceId: string;

beforeAll(async () => {
  story = await startConnectedProduct();
  const workspace = await db().notionWorkspace.findFirstOrThrow();
  workspaceId = workspace.id;
  accountId = workspace.accountId;
});
afterAll(() => story.product.stop());
beforeEach(async () => {
  await db().notionEvent.deleteMany();
  await db().delivery.deleteMany();
  await db().pageSnapshot.deleteMany();
  await db().rule.deleteMany();
});

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const sql = async (text: string, values: unknown[] = []) => (await databasePool().query(text, values)).rows;
const event = (id: string, receivedAt: Date, occurredAt = receivedAt) =>
  db().notionEvent.create({
    data: { workspaceId, id, type: 'page.created', pageId: id, occurredAt, receivedAt },
  });
const delivery = (eventId: string, eventAt: Date, state: string) =>
  db().delivery.create({ data: { accountId, eventId, eventAt, pageId: eventId, channelId: '1', state } });
const anyRule = async () =>
  db().rule.create({
    data: {
      accountId,
      workspaceId,
      serverId: (await db().discordServer.findFirstOrThrow()).id,
      databaseId: story.board.dataSourceId,
      eventType: 'page_updated',
      channelId: '1',
      channelName: 'tasks',
    },
  });
const eventIds = async () => (await db().notionEvent.findMany()).map(({ id }) => id).sort();
const deliveryIds = async () => (await db().delivery.findMany()).map(({ eventId }) => eventId).sort();
const partitionOf = async (table: string, column: string, id: string) =>
  (await sql(`select tableoid::regclass::text as name from ${table} where ${column} = $1`, [id]))[0]?.name;

test('events are kept for thirty days after they came in, whatever their own time says', async () => {
  await event('young', daysAgo(29));
  await event('young-of-long-ago', daysAgo(1), new Date('1999-12-31'));
  await event('old', daysAgo(31));
  await event('old-of-tomorrow', daysAgo(31), daysAgo(-1));
  await runUpkeep();
  expect(await eventIds()).toEqual(['young', 'young-of-long-ago']);
});

test('deliveries of the coming five weeks have partitions', async () => {
  await runUpkeep();
  await delivery('later', daysAgo(-34), 'waiting');
  expect(await partitionOf('delivery', 'event_id', 'later')).toMatch(/^delivery_\d{4}_\d{2}$/);
});

test('rows of a month that nobody made in time move into it once it is made', async () => {
  const month = await partitionOf(
    'delivery',
    'event_id',
    (await delivery('kept', daysAgo(-34), 'sent')).eventId,
  );
  await sql(`drop table ${month}`);
  const { id, eventAt } = await delivery('stray', daysAgo(-34), 'sent');
  expect(await partitionOf('delivery', 'event_id', 'stray')).toBe('delivery_default');
  await runUpkeep();
  expect(await partitionOf('delivery', 'event_id', 'stray')).toBe(month);
  // A partition made that way is like its siblings: the row is unique, and goes with its account.
  const same = { id, eventAt, accountId, eventId: 'other', pageId: 'other', channelId: '1', state: 'sent' };
  await expect(db().delivery.create({ data: same })).rejects.toThrow();
  const kinds = await sql(
    `select conname from pg_constraint where conrelid = $1::regclass and contype = 'f'`,
    [month],
  );
  expect(kinds).toHaveLength(2);
});

test('decisions not to post go after thirty days, cards after thirteen months', async () => {
  await sql(`select make_line_partitions(now() - interval '15 months', '1 day')`);
  await delivery('skipped-young', daysAgo(29), 'skipped');
  await delivery('skipped-old', daysAgo(31), 'skipped');
  await delivery('skipped-much-older', daysAgo(120), 'skipped');
  await delivery('sent-last-year', daysAgo(380), 'sent');
  await delivery('sent-before', daysAgo(435), 'sent');
  await runUpkeep();
  expect(await deliveryIds()).toEqual(['sent-last-year', 'skipped-young']);
});

test('titles, changes and cards go after thirty days, however many they are; what is on its way stays whole', async () => {
  await sql(`select make_line_partitions(now() - interval '2 months', '1 day')`);
  const whole = { sealedSummary: Buffer.from('summary'), sealedMessage: Buffer.from('card') };
  const { id: ruleId } = await anyRule();
  for (const state of ['sent', 'failed', 'held', 'waiting', 'settling']) {
    for (const [name, days] of [
      ['young', 29],
      ['old', 31],
    ] as const) {
      const { id } = await delivery(`${state}-${name}`, daysAgo(days), state);
      await db().delivery.updateMany({ where: { id }, data: { ruleId, ...whole } });
    }
  }
  await sql(
    `insert into delivery (id, event_at, account_id, rule_id, event_id, page_id, channel_id, state, sealed_summary)
     select gen_random_uuid(), now() - interval '40 days', $1, $2, 'many-' || n, 'p', '1', 'sent', 'x'
     from generate_series(1, 2500) as n`,
    [accountId, ruleId],
  );
  await runUpkeep();
  const emptied = await db().delivery.findMany({ where: { sealedSummary: null, sealedMessage: null } });
  const few = emptied.map(({ eventId }) => eventId).filter((id) => !id.startsWith('many'));
  expect(few.sort()).toEqual(['failed-old', 'held-old', 'sent-old']);
  expect(emptied).toHaveLength(2503);
});

test('what a rule told goes when the rule is gone, whatever its age', async () => {
  const { id: ruleId } = await anyRule();
  for (const state of ['sent', 'skipped', 'waiting']) {
    const { id } = await delivery(state, daysAgo(1), state);
    await db().delivery.updateMany({
      where: { id },
      data: { ruleId, sealedSummary: Buffer.from('summary') },
    });
  }
  await runUpkeep();
  const left = async () =>
    (await db().delivery.findMany({ where: { sealedSummary: { not: null } } }))
      .map(({ state }) => state)
      .sort();
  expect(await left()).toEqual(['sent', 'skipped', 'waiting']);
  await db().rule.deleteMany();
  await runUpkeep();
  expect(await left()).toEqual(['waiting']);
});

test('what a wrong clock put far into the past goes too, however much it is', async () => {
  await sql(
    `insert into notion_event (workspace_id, id, type, page_id, occurred_at, received_at)
     select $1, 'stray-' || n, 'page.created', 'p', '1999-12-31', '1999-12-31' from generate_series(1, 12000) as n`,
    [workspaceId],
  );
  await delivery('stray', new Date('1999-12-31'), 'sent');
  await runUpkeep();
  expect(await eventIds()).toEqual([]);
  expect(await deliveryIds()).toEqual([]);
});

test('pages of databases without rules are forgotten, those with rules kept', async () => {
  const { board, docs } = story;
  const rule = await story.product.call('mira', 'POST', '/api/app/rules', {
    databaseId: board.dataSourceId,
    eventType: 'page_updated',
    channelId: story.channel('tasks'),
    watchedProperties: ['Status'],
  });
  expect(rule.status).toBe(201);
  await db().pageSnapshot.deleteMany();
  const pages = [
    ['watched', board.dataSourceId],
    ['unwatched', docs.dataSourceId],
    ['unknown', 'a-database-that-is-gone'],
  ] as const;
  for (const [pageId, databaseId] of pages) {
    await db().pageSnapshot.create({
      data: { workspaceId, pageId, databaseId, sealedValues: Buffer.from('x') },
    });
  }
  await runUpkeep();
  expect((await db().pageSnapshot.findMany()).map(({ pageId }) => pageId)).toEqual(['watched']);
});

test('the leftovers of legs, sessions, limits, notices, refusals, records and failed jobs are forgotten', async () => {
  const old = daysAgo(400);
  const recent = daysAgo(1);
  for (const [id, at] of [
    ['old', old],
    ['recent', recent],
  ] as const) {
    await db().auditEntry.create({ data: { accountId, action: id, at } });
    await db().authSession.create({
      data: { accountId, sealedTokens: Buffer.from(id), accessTokenExpiresAt: at },
    });
    await db().heldNotice.create({ data: { accountId, channelId: id, postedAt: at } });
    await db().channelProblem.create({ data: { channelId: id, reason: 'gone', since: at } });
    await sql(
      `select graphile_worker.add_job('nothing', '{}'::json, run_at => $1, max_attempts => 1, job_key => $2)`,
      [at, id],
    );
  }
  await sql(`update graphile_worker._private_jobs set attempts = 1 where key in ('old', 'recent')`);
  await db().rateLimit.create({ data: { key: 'old', blockedUntil: old } });
  await db().rateLimit.create({ data: { key: 'recent', blockedUntil: new Date() } });
  const leg = { accountId, purpose: 'x', browserHash: 'x', returnTo: '/' };
  await db().oauthState.create({ data: { ...leg, stateHash: 'old', expiresAt: recent } });
  await db().oauthState.create({ data: { ...leg, stateHash: 'recent', expiresAt: daysAgo(-1) } });
  await runUpkeep();
  const left = {
    legs: (await db().oauthState.findMany()).map(({ stateHash }) => stateHash),
    sessions: (await db().authSession.findMany()).map(({ sealedTokens }) =>
      Buffer.from(sealedTokens).toString(),
    ),
    limits: (await db().rateLimit.findMany()).map(({ key }) => key),
    notices: (await db().heldNotice.findMany()).map(({ channelId }) => channelId),
    refusals: (await db().channelProblem.findMany()).map(({ channelId }) => channelId),
    jobs: (await sql(`select key from graphile_worker.jobs where task_identifier = 'nothing'`)).map(
      ({ key }) => key,
    ),
  };
  const recents = Object.fromEntries(Object.keys(left).map((name) => [name, ['recent']]));
  expect(left).toEqual(recents);
  expect(await db().auditEntry.count({ where: { action: 'old' } })).toBe(0);
  expect(await db().auditEntry.count({ where: { action: 'recent' } })).toBe(1);
});

test('upkeep waits for nobody: while a partition is held it fails, and the next run does the work', async () => {
  await sql(`select make_line_partitions(now() - interval '15 months', '1 day')`);
  await delivery('sent-before', daysAgo(435), 'sent');
  const holder = await databasePool().connect();
  try {
    await holder.query('begin');
    await holder.query('select 1 from delivery limit 1');
    await expect(runUpkeep()).rejects.toThrow(/lock timeout/);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  await runUpkeep();
  expect(await deliveryIds()).toEqual([]);
});

test('two processes may look after it at once', async () => {
  await sql(`select make_line_partitions(now() - interval '15 months', '1 day')`);
  await delivery('sent-before', daysAgo(435), 'sent');
  await Promise.all([runUpkeep(), runUpkeep()]);
  expect(await deliveryIds()).toEqual([]);
});
