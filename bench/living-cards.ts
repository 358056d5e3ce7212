import type pg from 'pg';
import { dueDatabasesSql } from '@/lib/features/clocks/start-due-clocks';
import type { Lifetime } from '../scripts/lifetime';
import { BenchPipeline } from './bench-pipeline';
import { measureBurst } from './burst';
import { productOf, type Target } from './floors';
import { figures } from './measure';
import { addOtherAccounts } from './other-accounts';
import { cpuMs } from './processes';
import { atMost, below, type Row, toRow } from './row';
import type { Setting } from './setting';
import { warmUp } from './stage';

const ROUNDS = 5;
const EVENTS = 500;
const ACCOUNTS = 5000;
const RULES_OF_EACH = 20;
const RUNS_AN_HOUR = 60;
const HOURS = 20;

type CardMode = 'each' | 'quiet' | 'living';

/** Processor time per event in milliseconds: for the first card of a page, and for later events. */
interface Costs {
  first: number[];
  later: number[];
}

/** The extra cost of a living card over a plain one, and the cost of rules' clocks while nothing is due. */
export async function quietRows(lifetime: Lifetime, setting: Setting): Promise<Row[]> {
  const pipeline = await BenchPipeline.start(lifetime, setting);
  const target = productOf(pipeline);
  await warmUp(pipeline, target);
  const costs: Record<CardMode, Costs> = {
    each: { first: [], later: [] },
    quiet: { first: [], later: [] },
    living: { first: [], later: [] },
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const mode of ['each', 'quiet', 'living'] as const) {
      await pipeline.product.database.query('update rule set card = $1::card_mode', [mode]);
      const burst = async (again: boolean) => {
        // A card that is only edited sends no new message.
        const cards = again && mode === 'quiet' ? 0 : EVENTS;
        return (await measureBurst(pipeline, target, EVENTS, { again, cards })).cpuMs;
      };
      costs[mode].first.push(await burst(false));
      // Starts the threads.
      await burst(true);
      costs[mode].later.push(await burst(true));
    }
  }
  const compared = (what: string, mode: CardMode, when: keyof Costs) => {
    const [living, plain] = [figures(costs[mode][when]).median, figures(costs.each[when]).median];
    const note = `${living} ms and ${plain} ms`;
    const figure = { figure: living / plain, unit: 'times', note };
    return toRow(`processor time of ${what}, as a multiple of a plain card`, figure, atMost(1.3, 'times'));
  };
  await addClocks(pipeline.product.database);
  return [
    compared('the first event of a living card', 'living', 'first'),
    compared('a later event of a card without a thread, which is edited', 'quiet', 'later'),
    compared('a later event of a living card, which is edited and has a reply', 'living', 'later'),
    toRow(
      `processor time of the database in an hour, for ${ACCOUNTS * RULES_OF_EACH} rules of which none is due`,
      { figure: await measureHour(pipeline.product.database, target), unit: 's' },
      below(1, 's'),
    ),
  ];
}

/** Gives other accounts rules that the clock triggers tomorrow. */
async function addClocks(database: pg.Pool): Promise<void> {
  const accounts = await addOtherAccounts(database, ACCOUNTS, RULES_OF_EACH);
  await database.query(
    `insert into rule_clock (rule_id, account_id, workspace_id, database_id, due_at, nominal_at)
     select id, account_id, workspace_id, database_id, now() + interval '1 day', now() + interval '1 day'
     from rule where account_id = any($1::uuid[])`,
    [accounts],
  );
  await database.query('vacuum (analyze)');
}

/** The cost of looking for due rules, which happens every minute whether or not there are rules with clocks. */
async function measureHour(database: pg.Pool, target: Target): Promise<number> {
  const [, postgres] = target.roots;
  await target.rest();
  const before = cpuMs([postgres ?? 0]);
  for (let run = 0; run < RUNS_AN_HOUR * HOURS; run += 1) {
    await database.query(dueDatabasesSql.text, dueDatabasesSql.values);
  }
  return (cpuMs([postgres ?? 0]) - before) / HOURS / 1000;
}
