import type pg from 'pg';
import type { BenchProduct } from './bench-product';
import { type BenchStory, tellStory } from './bench-story';
import { figures, timed } from './measure';
import { below, type Row, toRow } from './row';

const PAGES = 10_000;
const NOTION_MS = 100;
const TRIES = 5;

interface Tried {
  events: number;
  cards: number;
  unknown: number;
  note: string | null;
}

/** How long trying a rule takes on a database in which every page has an event. */
export async function tryRows(product: BenchProduct): Promise<Row[]> {
  const story = await tellStory(product, 0);
  await product.control('notion', 'POST', '/flood', {
    database: 'Sprint board',
    count: PAGES,
    kind: 'create',
  });
  const pages = (await product.control('notion', 'GET', '/rows?database=Sprint%20board')) as { id: string }[];
  await addEvents(
    product.database,
    story,
    pages.map(({ id }) => id),
  );
  await fetch(`${product.sandbox.context.urls.notion}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ target: 'notion', match: '/v1/', kind: 'slow', delayMs: NOTION_MS, times: 0 }),
  });
  const durations: number[] = [];
  let tried: Tried | undefined;
  for (let round = 0; round < TRIES; round += 1) {
    // Reset the count: an account may not try this often in a minute.
    await product.database.query('delete from call_count');
    durations.push(
      await timed(async () => {
        tried = await tryOnce(product, story);
      }),
    );
  }
  const note =
    tried && `${tried.cards} cards and ${tried.unknown} unknown of ${tried.events} events; ${tried.note}`;
  return [
    toRow(
      `trying a rule on ${PAGES} pages, Notion at ${NOTION_MS} ms, median`,
      { figure: figures(durations).median, unit: 'ms', ...(note && { note }) },
      below(5000, 'ms'),
    ),
  ];
}

async function tryOnce(
  product: BenchProduct,
  { databaseId, channelId, estimateId }: BenchStory,
): Promise<Tried> {
  const rule = { databaseId, eventType: 'page_updated', channelId, watchedProperties: [estimateId] };
  return (await product.api('POST', '/api/app/rules/try', { rule, days: 7 })).json() as Promise<Tried>;
}

async function addEvents(
  database: pg.Pool,
  { databaseId, estimateId }: BenchStory,
  pageIds: string[],
): Promise<void> {
  await database.query('delete from notion_event');
  await database.query(
    `insert into notion_event (workspace_id, id, type, page_id, database_id, authors, updated_properties, occurred_at,
       processed_at, outcome)
     select w.id, gen_random_uuid(), 'page.properties_updated', page, $1, '{}', array[$2], now() - interval '1 minute',
       now(), 'no_rules'
     from (select id from notion_workspace order by connected_at limit 1) w, unnest($3::text[]) page`,
    [databaseId, estimateId, pageIds],
  );
  await database.query('analyze');
}
