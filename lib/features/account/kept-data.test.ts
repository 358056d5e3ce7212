import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ABOUT_NOBODY, KEPT_DATA } from '@/components/docs/content/kept-data';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Every table, of ours and of the queue, with the columns whose content is sealed. */
async function storedTables(): Promise<Record<string, string[]>> {
  const { rows } = await client.query<{ name: string; sealed: string[] }>(`
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
