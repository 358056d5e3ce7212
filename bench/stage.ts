import type { Lifetime } from '../scripts/lifetime';
import { BenchPipeline } from './bench-pipeline';
import { measureBurst } from './burst';
import { startTargets, type Target } from './floors';
import type { Setting } from './setting';

const WARM_UP = 500;

/** Everything that the rows with the same setting share, started once. */
export interface Stage {
  pipeline: BenchPipeline;
  targets: Target[];
}

export async function startStage(lifetime: Lifetime, setting: Setting): Promise<Stage> {
  const pipeline = await BenchPipeline.start(lifetime, setting);
  const targets = await startTargets(pipeline, lifetime);
  for (const target of targets) await warmUp(pipeline, target);
  // Autovacuum would do this within a minute: the tables were empty when last analysed.
  await pipeline.product.database.query('analyze');
  return { pipeline, targets };
}

export const warmUp = (pipeline: BenchPipeline, target: Target) => measureBurst(pipeline, target, WARM_UP);

/** Measures one target after the other. */
export async function onEach<T>(targets: Target[], measure: (target: Target) => Promise<T>) {
  const measured = new Map<Target['name'], T>();
  for (const target of targets) measured.set(target.name, await measure(target));
  return Object.fromEntries(measured) as Record<Target['name'], T>;
}
