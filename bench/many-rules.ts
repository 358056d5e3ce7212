import type pg from 'pg';
import type { Conditions } from '@/lib/features/matching/schema';
import type { Lifetime } from '../scripts/lifetime';
import { BenchPipeline } from './bench-pipeline';
import { measureBurst } from './burst';
import { productOf, type Target } from './floors';
import { figures, round } from './measure';
import { addOtherAccounts } from './other-accounts';
import { below, type Row, toRow } from './row';
import type { Setting } from './setting';
import { warmUp } from './stage';
import { measureSteady } from './steady';

const ROUNDS = 5;
const EVENTS = 500;
const UNMATCHED_EVENTS = 5000;
const UNMATCHED_ROUNDS = 3;
const CROWD_ACCOUNTS = 50_000;
const RULES_IN_CROWD = 20;

/** The cost of an event with few and with very many rules and accounts, each rule with five conditions. */
export async function flatRows(lifetime: Lifetime, setting: Setting): Promise<Row[]> {
  const pipeline = await BenchPipeline.start(lifetime, setting);
  const target = productOf(pipeline);
  const { database } = pipeline.product;
  const conditions = await fiveConditions(database);
  await database.query('update rule set conditions = $1', [conditions]);
  await warmUp(pipeline, target);
  await settle(database);
  const few = await measureFlat(pipeline, target);
  await addOtherAccounts(database, CROWD_ACCOUNTS, RULES_IN_CROWD, conditions);
  await settle(database);
  await warmUp(pipeline, target);
  const many = await measureFlat(pipeline, target);
  const unmatched = await measureUnmatched(pipeline, target);
  const { accounts, databases } = setting;
  const rules = accounts * databases;
  const among =
    `from ${rules} rules of ${accounts} ${accounts === 1 ? 'account' : 'accounts'} to ` +
    `${CROWD_ACCOUNTS * RULES_IN_CROWD + rules} rules of ${CROWD_ACCOUNTS + accounts}, five conditions each`;
  const flat = (now: number, before: number) => ({
    figure: now,
    unit: 'ms',
    note: `${before.toFixed(2)} ms before`,
  });
  return [
    toRow(
      `processor time of an event, ${among}`,
      flat(many.cpuMs, few.cpuMs),
      below(round(few.cpuMs * 1.25), 'ms'),
    ),
    toRow(
      `event to card, median, ${among}`,
      flat(many.median, few.median),
      below(round(few.median * 1.25 + 1), 'ms'),
    ),
    toRow(
      'the same rules, processor time of an event that matches none of its database',
      { figure: unmatched, unit: 'ms' },
      below(1, 'ms'),
    ),
  ];
}

/** Conditions on five properties of the database, of five kinds, which every page of the bench meets. */
async function fiveConditions(database: pg.Pool): Promise<Conditions> {
  const { rows } = await database.query<{ properties: { id: string; name: string }[] }>(
    `select properties from notion_database where id in (select database_id from rule) limit 1`,
  );
  const id = (name: string) => rows[0]?.properties.find((each) => each.name === name)?.id ?? '';
  return {
    match: 'all',
    items: [
      { propertyId: id('Name'), operator: 'is_not', values: ['nothing'] },
      { propertyId: id('Status'), operator: 'is_not', values: ['nothing'] },
      { propertyId: id('Estimate'), operator: 'greater', values: [-1] },
      { propertyId: id('Tags'), operator: 'does_not_contain', values: ['nothing'] },
      { propertyId: id('Due date'), operator: 'is_not_empty' },
    ],
  };
}

/** Vacuums and analyzes now, so that autovacuum does not run during the measurement. */
async function settle(database: pg.Pool): Promise<void> {
  await database.query('vacuum (analyze)');
}

async function measureUnmatched(pipeline: BenchPipeline, target: Target): Promise<number> {
  const bursts: number[] = [];
  for (let round = 0; round < UNMATCHED_ROUNDS; round += 1) {
    const draft = { cards: 0, updated: ['another'] };
    bursts.push((await measureBurst(pipeline, target, UNMATCHED_EVENTS, draft)).cpuMs);
  }
  return figures(bursts).median;
}

async function measureFlat(
  pipeline: BenchPipeline,
  target: Target,
): Promise<{ cpuMs: number; median: number }> {
  const bursts: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bursts.push((await measureBurst(pipeline, target, EVENTS)).cpuMs);
  }
  const { median } = await measureSteady(pipeline, target);
  return { cpuMs: figures(bursts).median, median };
}
