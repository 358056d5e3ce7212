import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { MINUTE_MS } from '@/lib/time';
import type { Lifetime } from '../scripts/lifetime';
import { BenchPipeline } from './bench-pipeline';
import { below, type Row, toRow } from './row';
import { FAR } from './setting';

const RULES_OF_DATABASE = 10;
const PATIENCE_MS = 15 * MINUTE_MS;

// Discord's limit for a bot.
const SETTING = { ...FAR, accounts: 50, databases: 20, sendSlots: 50 };

/** How long it takes to post the summaries of very many rules that are all due at the same time. */
export async function morningRows(lifetime: Lifetime): Promise<Row[]> {
  const pipeline = await BenchPipeline.start(lifetime, SETTING);
  const { accounts, databases } = SETTING;
  const rules = accounts * databases * RULES_OF_DATABASE;
  const { all } = await pipeline.upstream.await(rules);
  const dueAt = await makeDue(pipeline.product.database);
  await Promise.race([all, wait(PATIENCE_MS, undefined, { ref: false })]);
  const { cards } = await pipeline.upstream.report();
  const last = Math.max(...cards.map(({ at }) => at));
  return [
    toRow(
      `from the time of ${rules} summaries of ${accounts * databases} databases to the last message`,
      { figure: (last - dueAt.getTime()) / MINUTE_MS, unit: 'minutes', note: `${cards.length} messages` },
      below(5, 'minutes'),
    ),
  ];
}

/** Turns all rules into summaries that are due at the next full minute, ten for each database. Returns that time. */
async function makeDue(database: pg.Pool): Promise<Date> {
  const dueAt = new Date(Math.ceil((Date.now() + MINUTE_MS / 2) / MINUTE_MS) * MINUTE_MS);
  const at = dueAt.toISOString().slice(11, 16);
  await database.query(
    `update rule set event_type = 'summary', watched_properties = '{}', schedule = $1::jsonb
     where database_id like '%-9000-000000000000'`,
    [{ every: 'day', at, skipEmpty: false }],
  );
  await database.query(
    `insert into rule (id, account_id, server_id, workspace_id, database_id, event_type, channel_id, channel_name, schedule)
     select gen_random_uuid(), account_id, server_id, workspace_id, database_id, event_type, channel_id, channel_name,
       schedule
     from rule cross join generate_series(2, $1) where event_type = 'summary'`,
    [RULES_OF_DATABASE],
  );
  await database.query(
    `insert into rule_clock (rule_id, account_id, workspace_id, database_id, due_at, nominal_at)
     select id, account_id, workspace_id, database_id, $1, $1 from rule where event_type = 'summary'`,
    [dueAt],
  );
  await database.query('analyze');
  return dueAt;
}
