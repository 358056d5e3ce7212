import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { databasePool, db } from '@/lib/db/database';
import { startConnectedProduct } from '@/lib/testing/product';
import { whileLocked } from '@/lib/testing/while-locked';
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
  await db().message.deleteMany();
  await db().pageSnapshot.deleteMany();
  await db().rule.deleteMany();
});

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const sql = async (text: string, values: unknown[] = []) => (await databasePool().query(text, values)).rows;
const event = (id: string, receivedAt: Date, occurredAt = receivedAt) =>
  db().notionEvent.create({
    data: { workspaceId, id, type: 'page.created', pageId: id, occurredAt, receivedAt },
  });
/** Adds a decision that led to no message. */
const decision = async (eventId: string, eventAt: Date, outcome: 'unchanged' | 'settling' = 'unchanged') => {
  const { id: ruleId } = (await db().rule.findFirst()) ?? (await anyRule());
  return db().decision.create({ data: { accountId, ruleId, eventId, eventAt, pageId: eventId, outcome } });
};
/** Adds a message with its card and the decision that led to it. */
const message = async (name: string, at: Date, state: 'sent' | 'failed' | 'held' | 'waiting') => {
  const { id: ruleId } = (await db().rule.findFirst()) ?? (await anyRule());
  const id = randomUUID();
  const sealed = { sealedSummary: Buffer.from('summary') };
  const told = { accountId, ruleId, pageId: name };
  await db().decision.create({
    data: { id, eventAt: at, eventId: name, outcome: 'message', messageId: id, ...told, ...sealed },
  });
  await db().card.create({ data: { messageId: id, at, ...told } });
  return db().message.create({
    data: { id, at, accountId, sourceId: ruleId, targetId: name, state, sealedBody: Buffer.from('card') },
  });
};
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
const decided = async () => (await db().decision.findMany()).map(({ eventId }) => eventId).sort();
const said = async () => (await db().message.findMany()).map(({ targetId }) => targetId).sort();
const carded = async () => (await db().card.findMany()).map(({ pageId }) => pageId).sort();
const partitionOf = async (table: string, column: string, id: string) =>
  (await sql(`select tableoid::regclass::text as name from ${table} where ${column} = $1`, [id]))[0]?.name;

const makePartitions = async (since: string) => {
  const make = `select make_missing_partition(now() - $1::interval, '1 day') as made`;
  for (let isLeft = true; isLeft; ) isLeft = (await sql(make, [since]))[0]?.made !== null;
};

test('events are kept for thirty days after they arrived, whatever time they state', async () => {
  await event('young', daysAgo(29));
  await event('young-of-long-ago', daysAgo(1), new Date('1999-12-31'));
  await event('old', daysAgo(31));
  await event('old-of-tomorrow', daysAgo(31), daysAgo(-1));
  await runUpkeep();
  expect(await eventIds()).toEqual(['young', 'young-of-long-ago']);
});

test('the coming five weeks have partitions', async () => {
  await runUpkeep();
  await message('later', daysAgo(-34), 'waiting');
  expect(await partitionOf('decision', 'event_id', 'later')).toMatch(/^decision_\d{4}_\d{2}_\d{2}$/);
  expect(await partitionOf('message', 'target_id', 'later')).toMatch(/^message_\d{4}_\d{2}$/);
  expect(await partitionOf('card', 'page_id', 'later')).toMatch(/^card_\d{4}_\d{2}$/);
});

test.each([
  ['decision', 'event_id'],
  ['message', 'target_id'],
  ['card', 'page_id'],
] as const)(
  'rows of a %s partition that nobody made in time move into it once it is made',
  async (table, key) => {
    await message('kept', daysAgo(-34), 'sent');
    const part = await partitionOf(table, key, 'kept');
    await sql(`drop table ${part}`);
    const { id, at } = await message('stray', daysAgo(-34), 'sent');
    expect(await partitionOf(table, key, 'stray')).toBe(`${table}_default`);
    await runUpkeep();
    expect(await partitionOf(table, key, 'stray')).toBe(part);
    // A partition made later is like the others: rows are unique, and are deleted with their account.
    const { id: ruleId } = await db().rule.findFirstOrThrow();
    const same = { accountId, ruleId, pageId: 'other' };
    const twice = {
      decision: () =>
        db().decision.create({ data: { id, eventAt: at, eventId: 'other', outcome: 'unchanged', ...same } }),
      message: () => db().message.create({ data: { id, at, accountId, targetId: 'other' } }),
      card: () => db().card.create({ data: { messageId: id, at, ...same } }),
    };
    await expect(twice[table]()).rejects.toThrow();
    const kinds = await sql(
      `select conname from pg_constraint where conrelid = $1::regclass and contype = 'f'`,
      [part],
    );
    expect(kinds).toHaveLength(1);
  },
);

test('decisions are deleted after thirty days, messages and cards after thirteen months', async () => {
  await makePartitions('15 months');
  await decision('young', daysAgo(29));
  await decision('old', daysAgo(31));
  await decision('much-older', daysAgo(120));
  await message('sent-last-year', daysAgo(380), 'sent');
  await message('sent-before', daysAgo(435), 'sent');
  await runUpkeep();
  expect(await decided()).toEqual(['young']);
  expect(await said()).toEqual(['sent-last-year']);
  expect(await carded()).toEqual(['sent-last-year']);
  const overdue = await sql(`select relname from pg_class where relname ~ '^decision_\\d{4}_\\d{2}_\\d{2}$'
    and to_date(right(relname, 10), 'YYYY_MM_DD') < now() - interval '38 days'`);
  expect(overdue).toEqual([]);
});

test('a new page that was reported very late still settles', async () => {
  await makePartitions('3 months');
  await decision('settles', daysAgo(70), 'settling');
  await decision('settles-in-the-edge-week', daysAgo(31), 'settling');
  await runUpkeep();
  expect(await decided()).toEqual(['settles', 'settles-in-the-edge-week']);
});

test('titles, changes and cards are deleted after thirty days, however many there are; what is being sent is kept', async () => {
  await makePartitions('2 months');
  const { id: ruleId } = await anyRule();
  for (const state of ['failed', 'held', 'waiting'] as const) {
    await message(`${state}-young`, daysAgo(29), state);
    await message(`${state}-old`, daysAgo(31), state);
  }
  await sql(
    `insert into message (id, at, account_id, source_id, target_id, state, sealed_body)
     select gen_random_uuid(), now() - interval '40 days', $1, $2, 'many-' || n, 'failed', 'x'
     from generate_series(1, 2500) as n`,
    [accountId, ruleId],
  );
  await sql(
    `insert into decision (id, event_at, account_id, rule_id, event_id, page_id, outcome, sealed_summary)
     select gen_random_uuid(), now() - interval '31 days', $1, $2, 'many-' || n, 'p', 'unchanged', 'x'
     from generate_series(1, 6000) as n`,
    [accountId, ruleId],
  );
  await runUpkeep();
  const emptied = await db().message.findMany({ where: { sealedBody: null } });
  const few = emptied.map(({ targetId }) => targetId).filter((id) => !id.startsWith('many'));
  expect(few.sort()).toEqual(['failed-old', 'held-old']);
  expect(emptied).toHaveLength(2502);
  expect(await decided()).toEqual(['failed-young', 'held-young', 'waiting-young']);
});

test('rows that a wrong clock put far into the past are deleted too, however many there are', async () => {
  await sql(
    `insert into notion_event (workspace_id, id, type, page_id, occurred_at, received_at)
     select $1, 'stray-' || n, 'page.created', 'p', '1999-12-31', '1999-12-31' from generate_series(1, 12000) as n`,
    [workspaceId],
  );
  await message('stray', new Date('1999-12-31'), 'sent');
  await runUpkeep();
  expect(await eventIds()).toEqual([]);
  expect([...(await decided()), ...(await said()), ...(await carded())]).toEqual([]);
});

test('rows that somebody has locked are left to the next run, and the others deleted', async () => {
  await runUpkeep();
  for (const name of ['locked', 'old']) {
    await event(name, daysAgo(31));
    await decision(name, daysAgo(31));
    await db().pageSnapshot.create({
      data: { workspaceId, pageId: name, databaseId: 'gone', sealedValues: Buffer.from('x') },
    });
  }
  const left = async () => [await eventIds(), await decided(), (await db().pageSnapshot.findMany()).length];
  const locks = [
    `select 1 from notion_event where id = 'locked' for update`,
    `select 1 from decision where event_id = 'locked' for update`,
    `select 1 from page_snapshot where page_id = 'locked' for update`,
  ];
  await whileLocked(locks.join('; '), async () => {
    await runUpkeep();
    expect(await left()).toEqual([['locked'], ['locked'], 1]);
  });
  await runUpkeep();
  expect(await left()).toEqual([[], [], 0]);
});

test('snapshots of databases without rules are deleted, those with rules kept', async () => {
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

test('leftover flows, sessions, limits, notices, refusals, records and failed jobs are deleted', async () => {
  const old = daysAgo(400);
  const recent = daysAgo(1);
  for (const [id, at] of [
    ['old', old],
    ['recent', recent],
  ] as const) {
    await db().auditEntry.create({ data: { accountId, action: 'rule.created', target: id, at } });
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
  const flow = { accountId, purpose: 'notion' as const, browserHash: 'x', returnTo: '/' };
  await db().oauthState.create({ data: { ...flow, stateHash: 'old', expiresAt: recent } });
  await db().oauthState.create({ data: { ...flow, stateHash: 'recent', expiresAt: daysAgo(-1) } });
  await runUpkeep();
  const left = {
    flows: (await db().oauthState.findMany()).map(({ stateHash }) => stateHash),
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
  expect(await db().auditEntry.count({ where: { target: 'old' } })).toBe(0);
  expect(await db().auditEntry.count({ where: { target: 'recent' } })).toBe(1);
});

test('upkeep does not wait for locks: while a partition is locked it fails, and the next run does the work', async () => {
  await makePartitions('15 months');
  await message('sent-before', daysAgo(435), 'sent');
  await whileLocked('select 1 from message limit 1', async () => {
    await expect(runUpkeep()).rejects.toThrow(/lock timeout/);
    // What it had dropped before stays dropped: nobody had to wait for those tables until it failed.
    expect(await carded()).toEqual([]);
  });
  await runUpkeep();
  expect(await said()).toEqual([]);
});

test('a partition that cannot be made yet keeps no other from being made', async () => {
  await message('later', daysAgo(-34), 'sent');
  const parts = {
    decision: await partitionOf('decision', 'event_id', 'later'),
    message: await partitionOf('message', 'target_id', 'later'),
  };
  await sql(`drop table ${parts.decision}, ${parts.message}`);
  await whileLocked('select 1 from message_default', async () => {
    await expect(runUpkeep()).rejects.toThrow(/lock timeout/);
    expect(await sql('select to_regclass($1) is not null as made', [parts.decision])).toEqual([
      { made: true },
    ]);
  });
  await runUpkeep();
  expect(await sql('select to_regclass($1) is not null as made', [parts.message])).toEqual([{ made: true }]);
});

test('two processes may run upkeep at once', async () => {
  await makePartitions('15 months');
  await message('sent-before', daysAgo(435), 'sent');
  const runs = await Promise.allSettled([runUpkeep(), runUpkeep()]);
  // A run that waits too long for the other's lock leaves the work to it.
  const refused = runs.flatMap((run) => (run.status === 'rejected' ? [String(run.reason)] : []));
  expect(refused.every((reason) => reason.includes('lock timeout'))).toBe(true);
  expect(refused.length).toBeLessThan(2);
  expect(await said()).toEqual([]);
});
