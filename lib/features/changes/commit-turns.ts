import { type Prisma, runStatement } from '@/lib/db/database';
import { isForeignKeyViolation } from '@/lib/db/row-gone';
import type { RowOf } from '@/lib/db/row-shape';
import { log } from '@/lib/log';
import { metrics } from '@/lib/metrics';
import { inFairBatches } from '@/lib/queue/in-fair-batches';
import { localLoopFor, withoutNotify } from '@/lib/queue/local-turns';
import { type COMMITTED_ROW, commitSql } from './commit-sql';
import type { LoadedTurn } from './loaded-turn';
import type { CommitItem, TurnPlan } from './turn-plan';

type Commit = { dueInMs: number | null } | 'stale';

const LARGEST_BATCH = 100;

const commitInBatches = inFairBatches(commitTurns, LARGEST_BATCH, ({ turn }) => turn.workspaceId);

/**
 * Saves what a turn has decided and ends its lease. Returns `stale` and writes nothing when the lease was lost, or when
 * the decision is out of date because the page's snapshot has changed or a person to tell was unlinked.
 */
export async function commitTurn(turn: LoadedTurn, plan: TurnPlan): Promise<Commit> {
  try {
    return await commitInBatches({ turn, plan });
  } catch (error) {
    if (isForeignKeyViolation(error)) return 'stale';
    throw error;
  }
}

async function commitTurns(items: CommitItem[], patience: Prisma.Sql): Promise<Commit[]> {
  const loop = localLoopFor('channel_turn');
  const rows = await runStatement<RowOf<typeof COMMITTED_ROW>>(
    commitSql(items, withoutNotify(loop), patience),
  );
  if (rows[0]?.hasWoken) loop?.wake();
  const saved = new Map(rows.map(({ index, dueInMs }) => [index, { dueInMs }]));
  for (const index of saved.keys()) recordOutcomes(items[index]);
  return items.map((_, index) => saved.get(index) ?? 'stale');
}

// Only skipped decisions are counted here; a message is counted when it is sent, held or given up.
function recordOutcomes(item: CommitItem | undefined): void {
  if (!item) return;
  const { turn, plan } = item;
  for (const { outcome } of plan.created) {
    if (outcome !== 'message' && outcome !== 'settling' && outcome !== 'gathered')
      metrics.deliveries.inc({ state: 'skipped', reason: outcome });
  }
  if (!log.isLevelEnabled('debug')) return;
  const { workspaceId, pageId } = turn;
  const deliveries = plan.created.map(({ id, eventId, outcome }) => ({ deliveryId: id, eventId, outcome }));
  const events = plan.finished.map(({ id, outcome }) => ({ id, outcome }));
  log.debug({ workspaceId, pageId, events, deliveries }, 'page decided');
}
