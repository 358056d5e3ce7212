import { sealHeads } from '@/lib/crypto';
import { db, Prisma } from '@/lib/db/database';
import { lookedUp } from '@/lib/db/planner-hints';
import { reseal } from './reseal';
import type { RowKey, SealedColumn } from './sealed-columns';
import type { Tally } from './tally';

const WINDOW = 2000;
const BATCH = 50;

/**
 * Goes through a table once by its primary key and reseals values that are not sealed correctly. Each statement locks a
 * batch of rows, and skips rows that another process is writing.
 */
export async function rotateColumn(column: SealedColumn, tally: Tally): Promise<void> {
  let after: RowKey | undefined;
  do {
    const window = await readWindow(column, after);
    const stale = window.filter(({ isStale }) => isStale).map(({ key }) => key);
    for (let at = 0; at < stale.length; at += BATCH) {
      await resealBatch(column, stale.slice(at, at + BATCH), tally);
    }
    tally.saw(window.length);
    after = window.at(-1)?.key;
  } while (after);
}

interface Row {
  key: RowKey;
  sealed: Uint8Array;
}

// Also reads rows without a value, so that no statement scans more rows than a batch.
function readWindow(
  column: SealedColumn,
  after: RowKey | undefined,
): Promise<{ key: RowKey; isStale: boolean }[]> {
  const { key, columns, table, sealed } = namesOf(column);
  const last = Object.entries(column.key).map(
    ([each, type]) => Prisma.sql`${after?.[each]}::text::${Prisma.raw(type)}`,
  );
  const beyond = after ? Prisma.sql`where (${columns}) > (${Prisma.join(last)})` : Prisma.empty;
  // The purpose for which a value was sealed is known only once it is opened.
  const isOld = column.formerPurpose
    ? Prisma.sql`${sealed} is not null`
    : Prisma.sql`coalesce(substring(${sealed} from 1 for 5) <> ${sealHeads()[0]}, false)`;
  return db().$queryRaw`
    select ${key} as key, ${isOld} as "isStale" from ${table} ${beyond} order by ${columns} limit ${WINDOW}`;
}

async function resealBatch(column: SealedColumn, keys: RowKey[], tally: Tally): Promise<void> {
  const { key, table, sealed } = namesOf(column);
  const rows = await db().$queryRaw<Row[]>`
    select ${key} as key, found.sealed from ${given(column, keys)} cross join lateral (
      select t.${sealed} as sealed from ${table} t
      where (${prefixed(column, 't')}) = (${prefixed(column, 'given')}) limit 1
    ) found where found.sealed is not null`;
  const changes = rows.flatMap((row) => {
    const { formerPurpose } = column;
    const becomes = reseal(row.sealed, { purpose: column.purpose(row.key), formerPurpose });
    if (becomes instanceof Uint8Array) return [{ ...row, becomes }];
    if (becomes !== 'current') tally.add(row.sealed, becomes);
    return [];
  });
  if (changes.length > 0) tally.wrote(await write(column, changes), changes);
}

/** Writes rows whose value has not changed since it was read and that nobody else is writing. Returns how many. */
function write(column: SealedColumn, changes: (Row & { becomes: Uint8Array })[]): Promise<number> {
  const { columns, table, sealed } = namesOf(column);
  const rows = changes.map(({ key, sealed: was, becomes }) => ({
    ...key,
    was: hex(was),
    becomes: hex(becomes),
  }));
  return db().$executeRaw`
    with free as (
      select ${columns}, decode(becomes, 'hex') as becomes from ${given(column, rows)} cross join lateral (
        select 1 from ${table} t where (${prefixed(column, 't')}) = (${prefixed(column, 'given')})
          and t.${sealed} = decode(given.was, 'hex') limit 1 for update skip locked) unlocked
    )
    update ${table} t set ${sealed} = free.becomes from free where ${sameKey(column, 't', 'free')}`;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const name = (text: string) => Prisma.raw(`"${text}"`);
const prefixed = ({ key }: SealedColumn, table: string) =>
  Prisma.join(Object.keys(key).map((each) => Prisma.sql`${name(table)}.${name(each)}`));

const sameKey = ({ key }: SealedColumn, table: string, other: string) =>
  Prisma.join(
    Object.keys(key).map(
      (each) => Prisma.sql`${name(table)}.${name(each)} = ${lookedUp(`"${other}"."${each}"`)}`,
    ),
    ' and ',
  );

function namesOf({ table, column, key }: SealedColumn) {
  const names = Object.keys(key);
  const pairs = names.map((each) => Prisma.sql`${each}::text, ${name(each)}::text`);
  return {
    table: name(table),
    sealed: name(column),
    columns: Prisma.join(names.map(name)),
    key: Prisma.sql`jsonb_build_object(${Prisma.join(pairs)})`,
  };
}

/** Rows in SQL with these keys, and with further values of each as texts. */
function given({ key }: SealedColumn, rows: Record<string, string>[]): Prisma.Sql {
  const columns = Object.entries(key).map(([each, type]) => `"${each}" ${type}`);
  const list = [...columns, 'was text', 'becomes text'].join(', ');
  return Prisma.sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(${Prisma.raw(list)})`;
}
