import { isForeignKeyViolation, runStatement } from '@/lib/db/database';
import { inBatches } from '@/lib/queue/in-batches';
import { commitSql } from './commit-sql';
import type { LoadedTurn } from './loaded-turn';
import type { Commit, CommitItem, TurnPlan } from './turn-plan';

const LARGEST_BATCH = 100;

const commitInBatches = inBatches(commitTurns, LARGEST_BATCH);

/**
 * Saves what a turn has decided and ends its lease. Says `stale` and writes nothing when the lease was lost, or
 * when what the decision stands on has changed: the page's snapshot, or a rule that is gone.
 */
export async function commitTurn(turn: LoadedTurn, plan: TurnPlan): Promise<Commit> {
  try {
    return await commitInBatches({ turn, plan });
  } catch (error) {
    if (isForeignKeyViolation(error)) return 'stale';
    throw error;
  }
}

async function commitTurns(items: CommitItem[]): Promise<Commit[]> {
  const rows = await runStatement<{ place: number; dueInMs: number | null }>(commitSql(items));
  const saved = new Map(rows.map(({ place, dueInMs }) => [place, { dueInMs }]));
  return items.map((_, place) => saved.get(place) ?? 'stale');
}
