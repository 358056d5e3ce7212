import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ABOUT_NOBODY, KEPT_DATA } from '@/components/docs/content/kept-data';
import { accountOf } from '@/lib/auth/account';
import { databasePool, db } from '@/lib/db/database';
import { connectToOwnDatabase } from '@/lib/testing/own-database';
import { forgetOldRecords } from './retention';

connectToOwnDatabase();

/** Every table, of ours and of the queue, with the columns whose content is sealed. */
async function storedTables(): Promise<Record<string, string[]>> {
  const { rows } = await databasePool().query<{ name: string; sealed: string[] }>(`
    select t.table_name as name, coalesce(array_agg(c.column_name::text order by c.column_name)
      filter (where c.data_type = 'bytea' or c.column_name like 'sealed%'), '{}') as sealed
    from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'
      and not (select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)
    group by 1 order by 1`);
  return Object.fromEntries(rows.map(({ name, sealed }) => [name, sealed]));
}

test('the documentation says for every table what it keeps and which of it is encrypted', async () => {
  const told: Record<string, string[]> = Object.fromEntries(ABOUT_NOBODY.map((name) => [name, []]));
  for (const [name, sealed] of KEPT_DATA.flatMap(({ tables }) => Object.entries(tables))) {
    told[name] = [...new Set([...(told[name] ?? []), ...sealed])].sort();
  }
  expect(told).toEqual(await storedTables());
});

test('exactly what is encrypted is called encrypted', () => {
  const outsideColumns = ['_private_jobs'];
  for (const { what, tables, encrypted } of KEPT_DATA) {
    const isSealed = Object.entries(tables).some(
      ([name, columns]) => columns.length > 0 || outsideColumns.includes(name),
    );
    expect({ what, isSealed }).toEqual({ what, isSealed: encrypted !== undefined });
  }
});

test('counts of calls and claims that have ended are gone after the night, as the documentation says', async () => {
  const { id: accountId } = await accountOf('oauth2|discord|208917000000000101');
  const leave = async (endsAt: Date) => {
    await db().callCount.create({ data: { accountId, kind: 'calls', used: 1, endsAt } });
    await db().callClaim.create({ data: { key: 'a call', accountId, holder: randomUUID(), endsAt } });
  };
  const count = async () => [await db().callCount.count(), await db().callClaim.count()];
  await leave(new Date(Date.now() + 60_000));
  await forgetOldRecords();
  expect(await count()).toEqual([1, 1]);
  await db().callCount.deleteMany();
  await db().callClaim.deleteMany();
  await leave(new Date(Date.now() - 60_000));
  await forgetOldRecords();
  expect(await count()).toEqual([0, 0]);
  const told = KEPT_DATA.find(({ tables }) => 'call_count' in tables);
  expect(told?.howLong).toBe('Until the night after, or until the account is deleted');
});
