import { randomUUID } from 'node:crypto';
import { Prisma, runStatement } from '@/lib/db/database';
import type { RowOf, RowShape } from '@/lib/db/row-shape';
import type { TurnTable } from '@/lib/queue/run-turns';
import { whileLeased } from '@/lib/queue/while-leased';
import { SECOND_MS } from '@/lib/time';
import { claimPagesSql, TURNS_OF_A_CONNECTION } from './claim-pages-sql';
import { commitTurn } from './commit-turns';
import { loadFrom, reloadTurn } from './load-turns';
import type { LoadedTurn } from './loaded-turn';
import { planTurn } from './plan-turn';

// A turn spends most of its time waiting for Notion.
const CAPACITY = 256;

// A connection whose calls hang gets no new turns, so it cannot starve the others.
const HANGING_MS = 2 * SECOND_MS;
const MAX_ATTEMPTS = 3;

/** When each turn that is being worked began, by connection, oldest first. */
type Working = Map<string, Set<{ at: number }>>;

/** The turns of pages that have something new, for the worker process that leases them under this key. */
export function pageTurns(leasedBy: number | null): TurnTable<LoadedTurn> {
  const working: Working = new Map();
  let rotatedTo: string | null = null;
  return {
    name: 'page_turn',
    capacity: CAPACITY,
    async claim(limit) {
      const running = [...working].map(([workspaceId, turns]) => ({
        workspaceId,
        turns: countRunning(turns),
      }));
      const claimed = await loadFrom(claimPagesSql({ limit, running, rotatedTo, leasedBy }));
      // A claim that leases nothing does not say where its rotation ended. Beginning elsewhere each time, it comes round.
      rotatedTo = claimed.turns.length > 0 ? claimed.rotatedTo : randomUUID();
      return claimed.turns;
    },
    async work(turn) {
      const mine = working.get(turn.workspaceId) ?? new Set();
      const startedAt = { at: Date.now() };
      working.set(turn.workspaceId, mine.add(startedAt));
      try {
        return await workTurn(turn);
      } finally {
        mine.delete(startedAt);
        if (mine.size === 0) working.delete(turn.workspaceId);
      }
    },
    async release(turns) {
      await runStatement(Prisma.sql`
        update page_turn set leased_until = '-infinity', leased_by = null
        where leased_by = ${leasedBy}::int and (workspace_id, page_id) not in (select * from unnest(
            ${turns.map(({ workspaceId }) => workspaceId)}::uuid[], ${turns.map(({ pageId }) => pageId)}::text[]))`);
    },
    async nextDueInMs() {
      const [next] = await runStatement<RowOf<typeof NEXT_PAGE_ROW>>(nextPageSql);
      return next?.ms ?? null;
    },
  };
}

/** In how many milliseconds the next page is due. */
export const NEXT_PAGE_ROW = { ms: 'float8' } as const satisfies RowShape;

export const nextPageSql = Prisma.sql`
  select extract(epoch from greatest(due_at, leased_until) - now())::float8 * 1000 as ms from page_turn
  order by greatest(due_at, leased_until) limit 1`;

// A hanging connection counts as if it used all turns that it may have.
function countRunning(turns: Set<{ at: number }>): number {
  const [oldest] = turns;
  const isHanging = oldest !== undefined && Date.now() - oldest.at > HANGING_MS;
  return isHanging ? TURNS_OF_A_CONNECTION : turns.size;
}

/** Decides and saves; decides again when the decision was out of date by then. */
async function workTurn(claimed: LoadedTurn): Promise<number | null> {
  let turn = claimed;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const plan = await planTurn(turn);
    const saved = await whileLeased(turn, (leased) => commitTurn(leased, plan));
    if (saved !== 'stale') return saved.dueInMs;
    const now = await reloadTurn(turn);
    // The workspace was disconnected meanwhile, or the lease was lost: then another worker has the turn, or takes it.
    if (!now) return null;
    turn = now;
  }
  throw new Error(`What page ${claimed.pageId} was decided on kept changing`);
}
