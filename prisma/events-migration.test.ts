import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '@/lib/testing/database';
import { migrateTo } from '@/lib/testing/migrations';
import { addPastTenant } from '@/lib/testing/past-tenant';

const BY_ID = '20261122020000_events_by_id';
const [account, workspace, server, rule] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const query = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;

/** Adds an event, or a copy of it with a time some minutes later, and its card in a state. */
async function told(id: string, minutesLater: number, outcome: string | null, state?: string): Promise<void> {
  const [{ at }] = await query(
    `insert into notion_event (workspace_id, id, type, page_id, occurred_at, processed_at, outcome)
     values ($1, $2, 'page.created', 'page', now() - interval '1 day' + $3 * interval '1 minute',
       case when $4::text is null then null else now() end, $4) returning occurred_at as at`,
    [workspace, id, minutesLater, outcome],
  );
  if (!state) return;
  await query(
    `insert into delivery (id, event_at, account_id, rule_id, event_id, page_id, channel_id, state)
     values (gen_random_uuid(), $1, $2, $3, $4, 'page', '1', $5)`,
    [at, account, rule, id, state],
  );
}

test('copies of an event become one, and what was made of it is not made again', async () => {
  await migrateTo(database.url, (name) => name < BY_ID);
  await addPastTenant(query, { account, workspace, server, rules: [rule], channelId: '1' });
  await told('single', 0, 'posted', 'sent');
  await told('pending', 0, null);
  await told('late-copy', 0, 'posted', 'sent');
  await told('late-copy', 5, null);
  await told('early-copy', 0, null);
  await told('early-copy', 5, 'posted', 'sent');
  await told('two-cards', 0, 'posted', 'waiting');
  await told('two-cards', 1, 'posted', 'waiting');
  await told('two-cards', 2, 'settling', 'settling');

  await migrateTo(database.url, (name) => name <= BY_ID);
  const events = await query('select id, outcome from notion_event order by id');
  expect(events.filter(({ id }) => id !== 'two-cards')).toEqual([
    { id: 'early-copy', outcome: 'posted' },
    { id: 'late-copy', outcome: 'posted' },
    { id: 'pending', outcome: null },
    { id: 'single', outcome: 'posted' },
  ]);
  expect(events).toHaveLength(5);
  expect(await query('select event_id, state from delivery order by event_id')).toEqual([
    { event_id: 'early-copy', state: 'sent' },
    { event_id: 'late-copy', state: 'sent' },
    { event_id: 'single', state: 'sent' },
    { event_id: 'two-cards', state: 'waiting' },
  ]);
});

test('they go with their workspace', async () => {
  await query('delete from notion_workspace');
  expect(await query('select 1 from notion_event')).toEqual([]);
});
