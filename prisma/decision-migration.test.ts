import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '@/lib/testing/database';
import { migrateTo } from '@/lib/testing/migrations';
import { addPastTenant } from '@/lib/testing/past-tenant';

const THREE_TABLES = '20261122100000_decision_message_card';
const TENANT = { account: randomUUID(), workspace: randomUUID(), server: randomUUID() };
const { account, workspace } = TENANT;
const [rule, other] = [randomUUID(), randomUUID()];

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await migrateTo(database.url, (name) => name < THREE_TABLES);
  await addPastTenant(query, { ...TENANT, rules: [rule, other], channelId: 'c' });
  await fill();
  await migrateWhileWebhooksArrive();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const query = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;

interface Before {
  state: string;
  days?: number;
  reason?: string;
  body?: string;
  discord?: string;
  early?: boolean;
  of?: string | null;
  gatheredInto?: string;
  tried?: boolean;
  reserved?: boolean;
}

const ids = new Map<string, string>();
const idOf = (name: string) => {
  const id = ids.get(name) ?? randomUUID();
  ids.set(name, id);
  return id;
};

async function add(name: string, row: Before): Promise<void> {
  await query(
    `insert into delivery (id, event_at, account_id, rule_id, event_id, page_id, channel_id, state, reason, sealed_summary,
       sealed_message, is_early, message_id, gathered_into, tried_at, usage_period_start, finished_at)
     values ($1, now() - $2 * interval '1 day', $3, $4, $5, $6, 'c', $7, $8, 'summary', $9, $10, $11, $12,
       case when $13::boolean then now() end, case when $14::boolean then date_trunc('month', now()) end, now())`,
    [
      idOf(name),
      row.days ?? 1,
      account,
      row.of === undefined ? rule : row.of,
      name,
      `page of ${name}`,
      row.state,
      row.reason ?? null,
      row.body ?? null,
      row.early ?? false,
      row.discord ?? null,
      row.gatheredInto ? idOf(row.gatheredInto) : null,
      row.tried ?? false,
      row.reserved ?? false,
    ],
  );
}

async function fill(): Promise<void> {
  await add('sent', { state: 'sent', discord: '1', reserved: true });
  await add('sent long ago', { state: 'sent', discord: '2', days: 200, reserved: true });
  await add('waiting', { state: 'waiting', body: 'w' });
  await add('waiting long', { state: 'waiting', body: 'w', days: 40, reason: 'Discord did not answer.' });
  await add('on its way', { state: 'waiting', body: 'w', tried: true, reserved: true });
  await add('orphan on its way', { state: 'waiting', body: 'w', tried: true, reserved: true, of: null });
  await add('held', { state: 'held', body: 'h', reason: 'Over.' });
  await add('failed', {
    state: 'failed',
    body: 'f',
    reason: 'No. The card may have been posted.',
    tried: true,
  });
  await add('failed for sure', { state: 'failed', body: 'f', reason: 'No.' });
  await add('settling', { state: 'settling' });
  await add('early, waiting', { state: 'waiting', body: 'e', early: true });
  await add('early, sent', { state: 'sent', discord: '3', early: true });
  await add('early, to be completed', { state: 'sent', discord: '4', body: 'new' });
  await add('skipped', { state: 'skipped', reason: 'filtered_by_status' });
  await add('skipped long ago', { state: 'skipped', reason: 'unchanged', days: 40 });
  await add('skipped, unknown', { state: 'skipped', reason: 'of an older version' });
  await add('gathered, waiting for its card', { state: 'skipped', reason: 'gathered', body: 'g' });
  await add('carrier', { state: 'waiting', body: 'away' });
  await add('carried', { state: 'skipped', reason: 'gathered', gatheredInto: 'carrier', of: other });
  await add('carrier that was sent', { state: 'sent', discord: '5' });
  await add('told', { state: 'sent', discord: '5', gatheredInto: 'carrier that was sent', of: other });
  await add('nobody’s', { state: 'sent', discord: '6', of: null, reserved: true });
}

/** Migrates while the old version keeps receiving events, as it does until the new one takes over. */
async function migrateWhileWebhooksArrive(): Promise<void> {
  const door = new Client({ connectionString: database.url });
  await door.connect();
  let isOver = false;
  let told = 0;
  const telling = (async () => {
    while (!isOver) {
      told += 1;
      await door.query(
        `with stored as (
           insert into notion_event (workspace_id, id, type, page_id, occurred_at)
           values ($1, $2, 'page.created', $2, now()) returning workspace_id, page_id
         )
         insert into page_turn (workspace_id, page_id) select * from stored`,
        [workspace, `meanwhile-${told}`],
      );
    }
  })();
  await migrateTo(database.url, (name) => name <= THREE_TABLES);
  isOver = true;
  await telling;
  await door.end();
  const [{ events, turns }] = await query(
    `select (select count(*)::int from notion_event where id like 'meanwhile-%') as events,
       (select count(*)::int from page_turn where page_id like 'meanwhile-%') as turns`,
  );
  expect({ events, turns }).toEqual({ events: told, turns: told });
}

const nameOf = (id: string | null) => [...ids].find(([, each]) => each === id)?.[0] ?? null;

test('what was decided in the last month stays known, and what is not done yet however old it is', async () => {
  const rows = await query('select id, outcome, message_id, is_early from decision');
  const decided = rows.map(({ id, outcome, message_id, is_early }) =>
    [nameOf(id), outcome, nameOf(message_id), ...(is_early ? ['early'] : [])].join(': '),
  );
  expect(decided.sort()).toEqual(
    [
      'sent: message: sent',
      'waiting: message: waiting',
      'waiting long: message: waiting long',
      'on its way: message: on its way',
      'held: message: held',
      'failed: message: failed',
      'failed for sure: message: failed for sure',
      'settling: settling: ',
      'early, waiting: message: early, waiting: early',
      'early, sent: message: early, sent: early',
      'early, to be completed: message: early, to be completed: early',
      'skipped: filtered_by_status: ',
      'skipped, unknown: unchanged: ',
      'gathered, waiting for its card: gathered: ',
      'carrier: gathered: carrier',
      'carried: gathered: carrier',
      'carrier that was sent: gathered: carrier that was sent',
      'told: gathered: carrier that was sent',
    ].sort(),
  );
});

test('every message that there was is there once, in its state and with its reservation', async () => {
  const rows = await query(
    `select id, state, convert_from(sealed_body, 'utf8') as body, discord_message_id as discord, tried_at, reason,
       usage_period_start, source_id from message`,
  );
  const said = rows.map((row) =>
    [
      nameOf(row.id),
      row.state,
      row.body ?? '',
      row.discord ?? '',
      ...(row.tried_at ? ['tried'] : []),
      ...(row.usage_period_start ? ['counted'] : []),
      ...(row.source_id === null ? ['orphan'] : []),
      ...(row.reason === null ? [] : [row.reason]),
    ].join(': '),
  );
  expect(said.sort()).toEqual(
    [
      'sent: sent: : 1: counted',
      'sent long ago: sent: : 2: counted',
      'waiting: waiting: w: ',
      'waiting long: waiting: w: : Discord did not answer.',
      'on its way: waiting: w: : tried: counted',
      'orphan on its way: waiting: w: : tried: counted: orphan',
      'held: held: h: : Over.',
      'failed: failed: f: : tried: No.',
      'failed for sure: failed: f: : No.',
      'early, waiting: waiting: e: ',
      'early, sent: sent: : 3',
      'early, to be completed: sent: : 4',
      'gathered, waiting for its card: kept: g: ',
      'carrier: waiting: away: ',
      'carrier that was sent: sent: : 5',
      'nobody’s: sent: : 6: counted: orphan',
    ].sort(),
  );
});

test('the card of a single page is known as long as its message', async () => {
  const rows = await query('select message_id, page_id from card');
  for (const { message_id, page_id } of rows) expect(page_id).toBe(`page of ${nameOf(message_id)}`);
  expect(rows.map(({ message_id }) => nameOf(message_id)).sort()).toEqual(
    [
      'sent',
      'sent long ago',
      'waiting',
      'waiting long',
      'on its way',
      'held',
      'failed',
      'failed for sure',
      'early, waiting',
      'early, sent',
      'early, to be completed',
    ].sort(),
  );
});

test('a card that was to be completed has its page looked at again', async () => {
  expect(await query(`select page_id from page_turn where page_id not like 'meanwhile-%'`)).toEqual([
    { page_id: 'page of early, to be completed' },
  ]);
});

test('the order goes on where it was, and every row is in the part of its time', async () => {
  const [{ last, next }] = await query(
    `select (select max(sequence) from message) as last, nextval('message_sequence_seq') as next`,
  );
  expect(BigInt(next)).toBeGreaterThan(BigInt(last));
  expect(await query('select 1 from message_default union all select 1 from card_default')).toEqual([]);
  const strays = await query(`select id from decision_default`);
  expect(strays.map(({ id }) => nameOf(id))).toEqual(['waiting long']);
});

test('they go with their account', async () => {
  await query('delete from account');
  expect(
    await query('select 1 from decision union all select 1 from message union all select 1 from card'),
  ).toEqual([]);
});
