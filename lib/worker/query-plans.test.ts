import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, databasePool, db, pagePool, runStatement, statementPools } from '@/lib/db/database';
import { requireAction } from '@/lib/features/acting/require-action';
import { keepPartitions } from '@/lib/features/deliveries/retention';
import { backlogSql } from '@/lib/features/health/backlog-sql';
import { forgetOldBodies } from '@/lib/features/messages/sealed-body';
import { startDuePasses } from '@/lib/features/reconciliation/schedule-passes';
import { fillDatabase } from '@/lib/testing/large-database';
import { MissedChanges } from '@/lib/testing/missed-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { explainEverything, type ObservedPlan, observePlans, rowsRead } from '@/lib/testing/query-plans';
import { MINUTE_MS } from '@/lib/time';
import { runUpkeep } from './upkeep';

// The most rows that a statement may read: those of one page, one rule, one account or one batch.
const MAX_ROWS = 1500;
// The activity list reads up to a hundred entries of each kind for each of ten rules, with their events and messages.
const MAX_ROWS_OF_ACTIVITY = 10_000;
const LARGE_TABLE = 2000;
// A join may read a few rows of a table before it finds that there is nothing to join.
const FIRST_ROWS = 10;
const SHOWN = 400;
const SHOWN_SCANS = 5;
const LETTERS = 6000;

// Statements that go through everything now and then and may run during a test: the upkeep at a worker's start and the
// check of the servers every ten minutes.
const PASSES =
  /^(delete from (decision_|message_|card_|notion_event_|notion_parent p using \(|rate_limit)|update discord_server set problem|select id, guild_id as "guildId", xmin)/;

// After five runs PostgreSQL may plan a prepared statement once for all values: both plans must be good.
const ROUNDS = 8;

let pipeline: Pipeline;
let missed: MissedChanges;
let plans: ObservedPlan[];
let ruleId: string;
let commentedRuleId: string;
let botId: string;
let workspaceId: string;
let large: Set<string>;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  ({ id: ruleId } = await pipeline.rule());
  await pipeline.rule({
    eventType: 'page_created',
    watchedProperties: [],
    channelId: pipeline.story.channel('build-log'),
  });
  ({ id: commentedRuleId } = await pipeline.ruleOfPage('Engineering wiki', { actions: ['comment'] }));
  await pipeline.story.product.work();
  await pipeline.idle();
  await pipeline.story.product.rest();
  missed = new MissedChanges(pipeline);
  await missed.lookedAt(0);
  ({ botId, id: workspaceId } = await db().notionWorkspace.findFirstOrThrow());
  await fillDatabase(databasePool());
  await runUpkeep();
  large = await listLargeTables();
  await explainEverything(databasePool());
  await closeDatabase();
  plans = observePlans([databasePool(), pagePool(), ...statementPools()]);
});
afterAll(() => pipeline.story.product.stop());

async function listLargeTables(): Promise<Set<string>> {
  const { rows } = await databasePool().query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and reltuples > $1`,
    [LARGE_TABLE],
  );
  return new Set(rows.map(({ name }) => name));
}

/** The bad plans since the last call, each statement once. */
function complaints(mostRows = MAX_ROWS): string[] {
  const seen = plans.splice(0).filter(({ text }) => !PASSES.test(text));
  if (seen.length === 0) throw new Error('No statement was seen');
  const found = seen.flatMap(({ text, scans: all }) => {
    // To read a small table from end to end costs as little as an index, however often it is done.
    const scans = all.filter(({ how, table }) => how !== 'Seq Scan' || large.has(table));
    const whole = scans.filter(({ how, rows }) => how === 'Seq Scan' && rows > FIRST_ROWS);
    const what = text.slice(0, SHOWN);
    if (whole.length > 0) return [`reads ${whole.map(({ table }) => table)} from end to end: ${what}`];
    if (rowsRead(scans) <= mostRows) return [];
    const most = scans.slice(0, SHOWN_SCANS).map(({ how, table, rows }) => `${table} ${rows} (${how})`);
    return [`looks at ${rowsRead(scans)} rows, of ${most.join(', ')}: ${what}`];
  });
  return [...new Set(found)];
}

/** Waits until our account has no work left, stops the worker, and discards what was observed meanwhile. */
async function untilIdle(): Promise<void> {
  await eventually(async () => {
    const [{ left } = { left: 1 }] = await db().$queryRaw<{ left: number }[]>`
      select ((select count(*) from page_turn join notion_workspace w on w.id = workspace_id where w.bot_id = ${botId}
          and page_id not like 'page-%')
        + (select count(*) from channel_turn where channel_id not like 'channel-%')
        + (select count(*) from graphile_worker.jobs))::int as left`;
    return left === 0;
  });
  await pipeline.story.product.rest();
  const own = plans.filter(({ text }) => !text.includes('graphile_worker.jobs))::int as left'));
  plans.splice(0, plans.length, ...own);
}

test('the tables are large enough for the test, which notices a bad statement', async () => {
  const names = [
    'account',
    'rule',
    'notion_database',
    'notion_parent',
    'notion_workspace',
    'page_turn',
    'channel_turn',
  ];
  for (const name of names) expect([...large]).toContain(name);
  for (const part of [/^notion_event_\d/, /^decision_\d/, /^message_\d/, /^card_\d/, /^page_snapshot_\d/]) {
    expect([...large].some((name) => part.test(name))).toBe(true);
  }
  plans.splice(0);
  await databasePool().query(`select count(*) from rule where channel_name = 'x'`);
  await databasePool().query(
    `select 1 from rule where account_id = any(array(select id from account limit 500))`,
  );
  const found = complaints();
  expect(found[0]).toMatch(/^reads rule from end to end/);
  expect(found[1]).toMatch(/^(reads|looks at)/);
});

test('from the door to the card', async () => {
  plans.splice(0);
  await pipeline.story.product.work();
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = (await pipeline.cards()).length;
    const status = round % 2 === 0 ? 'In review' : 'Backlog';
    await pipeline.edit('Boss fight: ember golem', { Status: status, Estimate: round });
    await pipeline.edit('Dodge window tuning', { Status: status, Estimate: 100 + round });
    // Both, because an edit that the next round undoes before it is read makes no card.
    await eventually(async () => (await pipeline.cards()).length === before + 2);
  }
  await untilIdle();
  expect(complaints()).toEqual([]);
});

/** Runs a pass over our workspace as if it had last been compared this many minutes ago. */
async function pass(minutesAgo: number): Promise<void> {
  await db().notionDatabase.updateMany({
    where: { workspaceId },
    data: { checkpointAt: new Date(Date.now() - minutesAgo * MINUTE_MS) },
  });
  await db().notionWorkspace.update({ where: { id: workspaceId }, data: { reconcileAt: new Date() } });
  await startDuePasses();
  await pipeline.story.product.work();
  await untilIdle();
}

const MISSED = ['Boss fight: ember golem', 'Dodge window tuning', 'Lantern upgrade screen'] as const;

test('from lost webhooks to late cards', async () => {
  plans.splice(0);
  const before = (await pipeline.cards()).length;
  for (let round = 0; round < ROUNDS; round += 1) {
    await missed.edit(MISSED[0], { Status: round % 2 === 0 ? 'Cut' : 'Backlog' }, 4 + ROUNDS - round);
    await pass(15);
  }
  expect((await pipeline.cards()).length).toBe(before + ROUNDS);
  expect(complaints()).toEqual([]);
});

test('from a long outage to one card for all that was missed', async () => {
  plans.splice(0);
  const before = (await pipeline.cards()).length;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const title of MISSED)
      await missed.edit(title, { Status: round % 2 === 0 ? 'Done' : 'Cut' }, 90 - 5 * round);
    await pass(180);
  }
  const cards = (await pipeline.cards()).slice(before);
  expect(cards.map(({ embeds }) => embeds[0].title)).toEqual(Array(ROUNDS).fill('While we were away'));
  expect(complaints()).toEqual([]);
});

test('old rows are found without reading the rest', async () => {
  plans.splice(0);
  await forgetOldBodies();
  expect(complaints()).toEqual([]);
  await keepPartitions();
  const [{ old } = { old: 0 }] = await db().$queryRaw<{ old: number }[]>`
    select ((select count(*) from decision where event_at < now() - interval '31 days' and outcome <> 'settling')
      + (select count(*) from message where at < now() - interval '31 days'
        and sealed_body is not null and state <> 'waiting'))::int as old`;
  expect(old).toBe(0);
});

test('what waits, for the metrics', async () => {
  plans.splice(0);
  for (let round = 0; round < ROUNDS; round += 1) expect(await runStatement(backlogSql)).toHaveLength(1);
  expect(complaints()).toEqual([]);
});

test.each([
  ['the start', '/api/app/me'],
  ['the rules', '/api/app/rules'],
  ['the server', '/api/app/discord/server'],
  ['the workspace', '/api/app/notion/workspace'],
  ['the links', '/api/app/account-links'],
  ['the plan', '/api/app/billing'],
  ['the periods', '/api/app/billing/periods'],
  ['the state of things', '/api/health'],
])('%s', async (_, path) => {
  plans.splice(0);
  for (let round = 0; round < ROUNDS; round += 1) {
    expect((await pipeline.story.product.call('mira', 'GET', path)).status).toBe(200);
  }
  expect(complaints()).toEqual([]);
});

test.each([
  ['all', true],
  ['posted', true],
  ['failed', false],
  ['skipped', true],
])('the deliveries of a rule with a long history, page by page: %s', async (show, isLong) => {
  plans.splice(0);
  let before = '';
  for (let page = 0; page < ROUNDS; page += 1) {
    const path = `/api/app/rules/${ruleId}/deliveries?show=${show}${before}`;
    const { status, body } = await pipeline.story.product.call('mira', 'GET', path);
    expect(status).toBe(200);
    expect(body.nextCursor !== null).toBe(isLong);
    if (isLong) before = `&before=${body.nextCursor}`;
  }
  expect(complaints()).toEqual([]);
  expect(await db().message.count({ where: { sourceId: ruleId } })).toBeGreaterThan(5000);
});

test.each([
  ['', true],
  ['limit=5', true],
  ['outcome=posted', true],
  ['outcome=failed', false],
  ['outcome=skipped', true],
  ['outcome=held', false],
  ['outcome=waiting', false],
  ['outcome=settling', false],
  ['channel=1', false],
  ['text=nobody', false],
])('the activity of an account with a long history, page by page: %s', async (filter, isLong) => {
  plans.splice(0);
  let before = '';
  for (let page = 0; page < ROUNDS; page += 1) {
    const path = `/api/app/activity?${filter}&before=${before}`;
    const { status, body } = await pipeline.story.product.call('mira', 'GET', path);
    expect(status).toBe(200);
    if (isLong) expect(body.items.length).toBeGreaterThan(0);
    before = body.next ?? '';
  }
  expect(complaints(MAX_ROWS_OF_ACTIVITY)).toEqual([]);
});

test('the activity reaches beyond the decisions that are kept, and ends there', async () => {
  plans.splice(0);
  let before = '';
  let found = 0;
  do {
    const { body } = await pipeline.story.product.call(
      'mira',
      'GET',
      `/api/app/activity?limit=100&before=${before}`,
    );
    found += body.items.length;
    before = body.next;
  } while (before);
  expect(complaints(MAX_ROWS_OF_ACTIVITY)).toEqual([]);
  expect(found).toBeGreaterThan(5000);
});

test('a button of a rule that has told people of very many pages', async () => {
  const { accountId, ownerId } = await fillLetters(commentedRuleId);
  plans.splice(0);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const by = { guildId: null, userId: ownerId, directMessageId: `letter-${round}` };
    const target = { ruleId: commentedRuleId, pageId: `page-${round}`, key: 'comment' };
    expect(await requireAction(by, target)).toMatchObject({ member: { accountId }, action: 'comment' });
    await expect(requireAction(by, { ...target, pageId: 'another' })).rejects.toThrow();
    await expect(requireAction({ ...by, userId: `stranger-${round}` }, target)).rejects.toThrow();
  }
  expect(complaints()).toEqual([]);
});

/** Adds the letters of a rule, each about another page. */
async function fillLetters(sourceId: string): Promise<{ accountId: string; ownerId: string }> {
  const { accountId, account } = await db().rule.findFirstOrThrow({
    where: { id: sourceId },
    include: { account: true },
  });
  await databasePool().query(
    `insert into message (id, at, account_id, source_id, kind, state, target_id, discord_message_id, page_id)
     select gen_random_uuid(), now() - n * interval '1 minute', $1, $2, 'letter', 'sent', gen_random_uuid(), 'letter-' || n,
       'page-' || n
     from generate_series(1, ${LETTERS}) n`,
    [accountId, sourceId],
  );
  await databasePool().query('analyze message');
  return { accountId, ownerId: account.discordUserId ?? '' };
}

test('a rule is tried on what a large database has stored', async () => {
  plans.splice(0);
  const { body: rules } = await pipeline.story.product.call('mira', 'GET', '/api/app/rules');
  for (let round = 0; round < ROUNDS; round += 1) {
    const { status } = await pipeline.story.product.call('mira', 'POST', '/api/app/rules/try', {
      rule: rules[0],
    });
    expect(status).toBe(200);
  }
  expect(complaints(MAX_ROWS_OF_ACTIVITY)).toEqual([]);
});
