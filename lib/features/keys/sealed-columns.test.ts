import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { TestProduct } from '@/lib/testing/product';
import { SEALED_COLUMNS } from './sealed-columns';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start();
});
afterAll(() => product.stop());

test('every sealed column of the database is declared, with the primary key of its table', async () => {
  const columns = await db().$queryRaw<{ table: string; column: string; key: Record<string, string> }[]>`
    select c.table_name as table, c.column_name as column, (
      select json_object_agg(a.attname, case format_type(a.atttypid, null)
        when 'timestamp with time zone' then 'timestamptz' else format_type(a.atttypid, null) end)
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indrelid = t.oid and i.indisprimary) as key
    from information_schema.columns c
    join pg_class t on t.oid = c.table_name::regclass and not t.relispartition
    where c.table_schema = 'public' and c.column_name like 'sealed\\_%'
    order by 1, 2`;
  const declared = SEALED_COLUMNS.map(({ table, column, key }) => ({ table, column, key }));
  const order = (a: { table: string; column: string }, b: typeof a) =>
    `${a.table}.${a.column}`.localeCompare(`${b.table}.${b.column}`);
  expect(declared.sort(order)).toEqual(columns.sort(order));
});
