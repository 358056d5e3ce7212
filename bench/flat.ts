import type { Lifetime } from '../scripts/lifetime';
import { BenchLine } from './bench-line';
import { measureBurst } from './burst';
import { addCrowd } from './crowd';
import { productOf, type Target } from './floors';
import { figures } from './measure';
import { below, type Row, toRow } from './row';
import type { Setting } from './setting';
import { warmUp } from './stage';
import { measureSteady } from './steady';

const ROUNDS = 5;
const EVENTS = 500;
const CROWD_ACCOUNTS = 50_000;
const RULES_IN_CROWD = 20;

/** What an event costs among few and among very many rules and accounts. */
export async function flatRows(lifetime: Lifetime, setting: Setting): Promise<Row[]> {
  const line = await BenchLine.start(lifetime, setting);
  const target = productOf(line);
  await warmUp(line, target);
  const few = await measureFlat(line, target);
  await addCrowd(line.product.database, CROWD_ACCOUNTS, RULES_IN_CROWD);
  await line.product.database.query('analyze');
  await warmUp(line, target);
  const many = await measureFlat(line, target);
  const { accounts, databases } = setting;
  const rules = accounts * databases;
  const among =
    `from ${rules} rules of ${accounts} ${accounts === 1 ? 'account' : 'accounts'} to ` +
    `${CROWD_ACCOUNTS * RULES_IN_CROWD + rules} rules of ${CROWD_ACCOUNTS + accounts}`;
  const flat = (now: number, before: number, unit: string) => ({
    figure: now,
    unit,
    note: `${before.toFixed(2)} ${unit} before`,
  });
  return [
    toRow(
      `processor time of an event, ${among}`,
      flat(many.cpuMs, few.cpuMs, 'ms'),
      below(round(few.cpuMs * 1.25), 'ms'),
    ),
    toRow(
      `event to card, median, ${among}`,
      flat(many.median, few.median, 'ms'),
      below(round(few.median * 1.25 + 1), 'ms'),
    ),
  ];
}

async function measureFlat(line: BenchLine, target: Target): Promise<{ cpuMs: number; median: number }> {
  const bursts: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bursts.push((await measureBurst(line, target, EVENTS)).cpuMs);
  }
  const { median } = await measureSteady(line, target);
  return { cpuMs: figures(bursts).median, median };
}

const round = (value: number) => Math.round(value * 100) / 100;
