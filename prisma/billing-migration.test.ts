import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '@/lib/testing/database';
import { migrateTo } from '@/lib/testing/migrations';
import { monthlyPeriod } from '@/lib/time';
import { migrate } from './migrate';

const BILLING = '20261120203700_billing';
const DAY_MS = 86_400_000;
const NONE = Buffer.from([0]);

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  // A session's zone must not move the days.
  await client.query(
    `do $$ begin execute format('alter database %I set timezone to ''America/St_Johns''', current_database()); end $$`,
  );
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface OldAccount {
  id: string;
  createdAt: Date;
  periodStart: Date;
}

function accountOf(createdAt: Date, now: Date): OldAccount {
  return { id: randomUUID(), createdAt, periodStart: monthlyPeriod(createdAt, now).start };
}

async function addAccounts(accounts: OldAccount[]): Promise<void> {
  await client.query(
    `insert into account (id, subject, created_at, trial_ends_at)
     select id, id::text, at, at from unnest($1::uuid[], $2::timestamptz[]) as account (id, at)`,
    [accounts.map(({ id }) => id), accounts.map(({ createdAt }) => createdAt)],
  );
}

const used = ({ id }: OldAccount, on: Date, sent: number) => ({
  id,
  day: on.toISOString().slice(0, 10),
  sent,
});

async function use(days: ReturnType<typeof used>[]): Promise<void> {
  await client.query(
    'insert into usage_day (account_id, day, sent) select * from unnest($1::uuid[], $2::date[], $3::int[])',
    [days.map(({ id }) => id), days.map(({ day }) => day), days.map(({ sent }) => sent)],
  );
}

async function addDelivery(accountId: string, state: string, finishedAt: Date | null): Promise<string> {
  const id = randomUUID();
  await client.query(
    `insert into delivery (id, account_id, event_id, channel_id, state, sealed_message, finished_at)
     values ($1::uuid, $2, $1::text, '1', $3, $4, $5)`,
    [id, accountId, state, NONE, finishedAt],
  );
  return id;
}

test('what every account had sent in its month stays counted, whichever day it signed up on', async () => {
  expect(await migrateTo(database.url, (name) => name < BILLING)).not.toContain(BILLING);
  const now = new Date();
  const accounts: OldAccount[] = [];
  // Every day of three years, early and late in the day, which includes months of all lengths and a leap year.
  for (let age = 0; age < 1100; age += 1) {
    const day = new Date(now.getTime() - age * DAY_MS);
    day.setUTCHours(age % 2 ? 0 : 23, 30);
    accounts.push(accountOf(day < now ? day : now, now));
  }
  const idle = accountOf(new Date(now.getTime() - 90 * DAY_MS), now);
  await addAccounts([...accounts, idle]);
  const isLong = ({ periodStart }: OldAccount) => periodStart.getTime() + DAY_MS < now.getTime();
  await use([
    ...accounts.map((each) => used(each, each.periodStart, 3)),
    ...accounts.filter(isLong).map((each) => used(each, now, 4)),
    ...accounts.map((each) => used(each, new Date(each.periodStart.getTime() - DAY_MS), 500)),
    used(idle, new Date(now.getTime() - 60 * DAY_MS), 9),
  ]);
  const old = accounts[45] as OldAccount;
  const inPeriod = await addDelivery(old.id, 'sent', new Date(old.periodStart.getTime() + 1));
  const before = await addDelivery(old.id, 'sent', new Date(old.periodStart.getTime() - 1));
  const failed = await addDelivery(old.id, 'failed', now);
  const waiting = await addDelivery(old.id, 'waiting', null);

  expect(await migrateTo(database.url, (name) => name <= BILLING)).toEqual([BILLING]);
  const { rows } = await client.query(
    'select account_id, starts_at, ends_at, sent, reserved from usage_period',
  );
  const found = new Map(rows.map(({ account_id, ...period }) => [account_id, period]));
  expect(found.size).toBe(rows.length);
  for (const account of accounts) {
    const { start, end } = monthlyPeriod(account.createdAt, now);
    const sent = isLong(account) ? 7 : 3;
    const period = { starts_at: start, ends_at: end, sent, reserved: sent };
    expect(found.get(account.id), account.createdAt.toISOString()).toEqual(period);
  }
  expect(found.has(idle.id)).toBe(false);

  const deliveries = await client.query('select id, usage_period_start from delivery');
  const placed = new Map(deliveries.rows.map(({ id, usage_period_start }) => [id, usage_period_start]));
  expect(placed.get(inPeriod)).toEqual(old.periodStart);
  for (const id of [before, failed, waiting]) expect(placed.get(id)).toBeNull();
});

test('the newest schema is reached from there, with every account', async () => {
  await migrate(database.url);
  const { rows } = await client.query('select count(*)::int as accounts from account');
  expect(rows).toEqual([{ accounts: 1101 }]);
});
