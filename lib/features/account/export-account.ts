import { isKeyKnown } from '@/lib/crypto';
import { Prisma, runPageStatement } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import { log } from '@/lib/log';
import { EXPORT_PARTS, type ExportPart } from './export-parts';

// At this cost an account can download three files a minute.
const COST = 20;

// The largest rows are snapshots, at most about 100 kB each.
const ROWS_AT_ONCE = 200;

// Messages are kept for up to 14 months. An event may state any time, so the first and the last span have no limit.
const MONTHS = 14;

const NO_KEY = 'Pagewire does not have the key to this at the moment.';

interface Span {
  from: Date | null;
  to: Date | null;
}

interface Found {
  row: Record<string, unknown>;
  /** The values of the columns of the part's key. */
  key: string[];
  sealed: Uint8Array | null;
}

/**
 * Everything that is stored about an account, as the text of a JSON file: an object with the rows of each table. Sealed
 * values are opened; tokens are left out. The text is made a few rows at a time, as fast as the caller reads it, so it
 * needs little memory however long it is. Throws `rate_limited`.
 */
export async function exportAccount(account: Account): Promise<Response> {
  await limitOutsideCalls(account.id, COST);
  const text = writeFile(account.id);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await text.next();
        if (done) controller.close();
        else controller.enqueue(Buffer.from(value));
      } catch (error) {
        log.error({ err: error }, 'export broken off');
        controller.error(error);
      }
    },
    async cancel() {
      await text.return();
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
    },
  });
}

async function* writeFile(accountId: string): AsyncGenerator<string, void> {
  yield `{"version":1,"madeAt":${JSON.stringify(new Date())}`;
  for (const part of EXPORT_PARTS) {
    yield `,\n"${part.table}":[`;
    let isFirst = true;
    for (const owner of await listOwners(part, accountId)) {
      for await (const rows of readRows(part, owner)) {
        yield joined(rows, isFirst);
        isFirst = false;
      }
    }
    yield ']';
  }
  yield '}\n';
}

const joined = (rows: unknown[], isFirst: boolean) =>
  `${isFirst ? '' : ','}\n${rows.map((row) => JSON.stringify(row)).join(',\n')}`;

async function listOwners({ of }: ExportPart, accountId: string): Promise<string[]> {
  if (of === 'id' || of === 'account_id' || of === 'channel_id') return [accountId];
  const table = Prisma.raw(of === 'rule_id' ? 'rule' : 'notion_workspace');
  const rows = await runPageStatement<{ id: string }>(
    Prisma.sql`select id from ${table} where account_id = ${accountId}::uuid order by id`,
  );
  return rows.map(({ id }) => id);
}

/** The rows of an owner, a few at a time. */
async function* readRows(part: ExportPart, owner: string): AsyncGenerator<unknown[]> {
  for (const span of part.months ? listSpans(new Date()) : [{ from: null, to: null }]) {
    let after: string[] | null = null;
    do {
      const found: Found[] = await runPageStatement<Found>(rowsSql(part, owner, { ...span, after }));
      if (found.length > 0) yield found.map((each) => opened(part, each));
      after = part.key && found.length === ROWS_AT_ONCE ? (found.at(-1)?.key ?? null) : null;
    } while (after !== null);
  }
}

function listSpans(now: Date): Span[] {
  const starts = Array.from(
    { length: MONTHS + 1 },
    (_, index) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + index, 1)),
  );
  return [null, ...starts].map((from, index) => ({ from, to: starts[index] ?? null }));
}

function rowsSql(part: ExportPart, owner: string, { from, to, after }: Span & { after: string[] | null }) {
  const { table, of, key = {}, months, without = [], sealed } = part;
  const column = (name: string) => Prisma.raw(`t.${name}`);
  const columns = Object.keys(key).map(column);
  const types = Object.values(key).map((type) => Prisma.raw(type));
  const inSpan = months
    ? Prisma.sql`and ${column(months)} >= coalesce(${from}::timestamptz, '-infinity')
        and ${column(months)} < coalesce(${to}::timestamptz, 'infinity')`
    : Prisma.empty;
  const behind = after
    ? Prisma.sql`and (${Prisma.join(columns)}) > (${Prisma.join(
        types.map((type, index) => Prisma.sql`${after[index]}::${type}`),
      )})`
    : Prisma.empty;
  const further = part.key
    ? Prisma.sql`${behind} order by ${Prisma.join(columns)} limit ${ROWS_AT_ONCE}`
    : Prisma.empty;
  return Prisma.sql`
    select to_jsonb(t) - ${[...without, ...(sealed ? [sealed.column] : [])]}::text[] as row,
      array[${part.key ? Prisma.join(columns.map((each) => Prisma.sql`${each}::text`)) : Prisma.empty}]::text[] as key,
      ${sealed ? column(sealed.column) : Prisma.sql`null::bytea`} as sealed
    from ${Prisma.raw(table)} t
    where ${column(of)} ${of === 'channel_id' ? channelsSql(owner) : Prisma.sql`= ${owner}::uuid`} ${inSpan} ${further}`;
}

// The channels of a server that an account had once may be another's by now.
const channelsSql = (accountId: string) => Prisma.sql`in (
  select jsonb_array_elements(channels) ->> 'id' from discord_server where account_id = ${accountId}::uuid
  union select channel_id from rule where account_id = ${accountId}::uuid
  union select channel_id from task_echo where account_id = ${accountId}::uuid)`;

function opened({ sealed: how }: ExportPart, { row, sealed }: Found): unknown {
  if (!how) return row;
  if (!sealed) return { ...row, [how.as]: null };
  return { ...row, [how.as]: isKeyKnown(sealed) ? how.open(row, sealed) : NO_KEY };
}
