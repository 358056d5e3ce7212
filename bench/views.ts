import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { sealSummary } from '@/lib/features/matching/summary';
import type { BenchProduct } from './bench-product';
import { type BenchStory, tellStory } from './bench-story';
import { percentile, timed } from './measure';
import { below, type Row, toRow } from './row';

const RULES = 10;
const DECISIONS = 100_000;
const OLDER_MESSAGES = 900_000;
const BATCH = 5000;
const VIEWS = 200;
const WARM_UP = 20;

const FRAME = ['/api/app/me', '/api/app/account-links', '/api/app/setup/status', '/api/app/discord/server'];

/** The calls that each view makes first, all at once. */
const READS = {
  '/rules': [...FRAME, '/api/app/rules', '/api/app/notion/workspace'],
  '/activity': [...FRAME, '/api/app/rules', '/api/app/activity'],
};

/** How long the server takes for the first view of a page, with ten rules and a million entries. */
export async function viewRows(product: BenchProduct): Promise<Row[]> {
  // For sealing summaries in this process.
  Object.assign(process.env, product.sandbox.env, { DATABASE_URL: product.databaseUrl });
  const story = await tellStory(product, RULES);
  await fill(product.database, story);
  const rows: Row[] = [];
  for (const [page, paths] of Object.entries(READS)) {
    const view = async () => {
      // Reset the count: an account may not make this many calls in a minute.
      await product.database.query('delete from call_count');
      return timed(() => Promise.all(paths.map((path) => readWhole(product, path))));
    };
    for (let nth = 0; nth < WARM_UP; nth += 1) await view();
    const durations: number[] = [];
    for (let nth = 0; nth < VIEWS; nth += 1) durations.push(await view());
    rows.push(
      toRow(
        `first view of ${page} with ${DECISIONS + OLDER_MESSAGES} entries, 95th percentile`,
        {
          figure: percentile(durations, 0.95),
          unit: 'ms',
          note: `${paths.length} calls at once, median ${percentile(durations, 0.5)} ms`,
        },
        below(150, 'ms'),
      ),
    );
  }
  return rows;
}

async function readWhole(product: BenchProduct, path: string): Promise<void> {
  await (await product.api('GET', path)).text();
}

async function fill(database: pg.Pool, { channelId }: BenchStory): Promise<void> {
  const client = await database.connect();
  try {
    // The rows are consistent; checking their foreign keys would take most of the time.
    await client.query('set session_replication_role = replica');
    await client.query(ADD_OLDER, [OLDER_MESSAGES, channelId]);
    for (let from = 0; from < DECISIONS; from += BATCH) {
      const ids = Array.from({ length: BATCH }, () => randomUUID());
      const sealed = ids.map((id, nth) =>
        Buffer.from(
          sealSummary(id, {
            title: `Boss fight ${from + nth}`,
            url: null,
            changes: [{ name: 'Status', before: 'In progress', after: 'Done' }],
            moreChanges: 0,
          }),
        ),
      );
      await client.query(ADD_DECISIONS, [ids, sealed, from, DECISIONS, channelId, OLDER_MESSAGES]);
    }
    await client.query('analyze');
  } finally {
    client.release(true);
  }
}

const RULE_OF = `join (select id, account_id, row_number() over () - 1 as number from rule) r on r.number = n % ${RULES}`;

const ADD_OLDER = `
  insert into message (id, at, account_id, source_id, target_id, state, created_at, discord_message_id, finished_at,
    sequence)
  select gen_random_uuid(), at, r.account_id, r.id, $2, 'sent', at, (600000000000000000 + n)::text, at, n
  from (select n, now() - interval '31 days' - ($1 - n) * interval '300 days' / $1 as at from generate_series(1, $1::int) n)
    drawn ${RULE_OF}`;

const ADD_DECISIONS = `
  with drawn as (
    select n, id, sealed, now() - ($4 - n) * interval '29 days' / $4 as at
    from (select $3::int + row_number() over () as n, id, sealed
      from unnest($1::uuid[], $2::bytea[]) as c (id, sealed)) c
  ), decided as (
    insert into decision (id, event_at, account_id, rule_id, event_id, page_id, outcome, created_at, message_id,
      sealed_summary, sequence)
    select drawn.id, at, account_id, r.id, drawn.id, 'page-' || n, 'message', at, drawn.id, sealed, $6::int + n
    from drawn ${RULE_OF}
  )
  insert into message (id, at, account_id, source_id, target_id, state, created_at, discord_message_id, finished_at,
    sequence)
  select drawn.id, at, account_id, r.id, $5, 'sent', at, (700000000000000000 + n)::text, at, $6::int + n
  from drawn ${RULE_OF}`;
