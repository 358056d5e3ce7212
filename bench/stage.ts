import type { Lifetime } from '../scripts/lifetime';
import { BenchLine } from './bench-line';
import { measureBurst } from './burst';
import { startTargets, type Target } from './floors';
import type { Setting } from './setting';

const WARM_UP = 500;

/** Everything that the rows with the same setting share, started once. */
export interface Stage {
  line: BenchLine;
  targets: Target[];
}

export async function startStage(lifetime: Lifetime, setting: Setting): Promise<Stage> {
  const line = await BenchLine.start(lifetime, setting);
  const targets = await startTargets(line, lifetime);
  for (const target of targets) await warmUp(line, target);
  // Autovacuum would do this within a minute: the tables were empty when last analysed.
  await line.product.database.query('analyze');
  return { line, targets };
}

export const warmUp = (line: BenchLine, target: Target) => measureBurst(line, target, WARM_UP);

/** Measures one target after the other. */
export async function onEach<T>(targets: Target[], measure: (target: Target) => Promise<T>) {
  const measured = new Map<Target['name'], T>();
  for (const target of targets) measured.set(target.name, await measure(target));
  return Object.fromEntries(measured) as Record<Target['name'], T>;
}
