import { Prisma, runStatement } from '@/lib/db/database';
import type { TurnTable } from '@/lib/queue/run-turns';
import { whileLeased } from '@/lib/queue/while-leased';
import { SECOND_MS } from '@/lib/time';
import { commitTurn } from './commit-turns';
import { loadFrom, loadTurns } from './load-turns';
import type { LoadedTurn } from './loaded-turn';
import { planTurn } from './process-page';

// Most of the time of a turn passes while Notion answers.
const CAPACITY = 256;

/** Turns of one connection that a process works at once. */
const CAPACITY_EACH = 64;

// A connection whose calls hang gets nothing more to do, and leaves the room to the others.
const HANGING_MS = 2 * SECOND_MS;

// Two reads of Notion with a refreshed token between them take a minute at the longest.
const LEASE_SECONDS = 120;

// When more is due than can be claimed, connections beyond the oldest turns are looked at in rotation.
const LOOK_AHEAD = 4;
const CONNECTIONS_AT_ONCE = 64;
const MAX_ATTEMPTS = 3;

/** When the turns of each connection that are being worked began. */
type Working = Map<string, Set<{ at: number }>>;

/** The pages that have something to be looked at, as turns of the worker process that leases under this key. */
export function pageTurns(leasedBy: number | null): TurnTable<LoadedTurn> {
  const working: Working = new Map();
  let cursor: string | null = null;
  return {
    name: 'page_turn',
    capacity: CAPACITY,
    async claim(limit) {
      const claimed = await loadFrom(claimSql({ limit, working, cursor, leasedBy }));
      cursor = claimed.at(-1)?.workspaceId ?? null;
      return claimed;
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
    async letGo(turns) {
      await runStatement(Prisma.sql`
        update page_turn set leased_until = '-infinity', leased_by = null
        where leased_by = ${leasedBy}::int and (workspace_id, page_id) not in (select * from unnest(
            ${turns.map(({ workspaceId }) => workspaceId)}::uuid[], ${turns.map(({ pageId }) => pageId)}::text[]))`);
    },
    async nextDueInMs() {
      const [next] = await runStatement<{ ms: number }>(Prisma.sql`
        select extract(epoch from greatest(due_at, leased_until) - now())::float8 * 1000 as ms from page_turn
        order by greatest(due_at, leased_until) limit 1`);
      return next?.ms ?? null;
    },
  };
}

interface Claim {
  limit: number;
  working: Working;
  /** The connection that the rotation goes on from. */
  cursor: string | null;
  leasedBy: number | null;
}

/**
 * Leases turns that are due, as a source of turns to load. What is read with the claim is as old as the look at what is
 * due: so none is taken that was changed between that look and its lock, for an event may have come with the change. It
 * was announced, and the next claim takes it.
 *
 * Commits asynchronously: a lease lost in a crash protected nobody.
 */
function claimSql({ limit, working, cursor, leasedBy }: Claim): Prisma.Sql {
  return Prisma.sql`
    with recursive oldest as materialized (
      select workspace_id, page_id, version, leased_until, greatest(due_at, leased_until) as at from page_turn
      where greatest(due_at, leased_until) <= now() and (select set_config('synchronous_commit', 'off', true)) = 'off'
      order by greatest(due_at, leased_until) limit ${limit * LOOK_AHEAD}::int
    ), around(workspace_id, nr) as (
      (select workspace_id, 1 from page_turn
      where workspace_id > coalesce(${cursor}::uuid, '00000000-0000-0000-0000-000000000000')
        and (select count(*) from oldest) = ${limit * LOOK_AHEAD}::int
      order by workspace_id limit 1)
      union all
      select (select p.workspace_id from page_turn p where p.workspace_id > a.workspace_id
        order by p.workspace_id limit 1), nr + 1
      from around a where a.workspace_id is not null and nr < ${CONNECTIONS_AT_ONCE}
    ), due as (
      select * from oldest
      union
      select p.* from around a cross join lateral (
        select workspace_id, page_id, version, leased_until, greatest(due_at, leased_until) as at from page_turn
        where workspace_id = a.workspace_id and greatest(due_at, leased_until) <= now() limit 4
      ) p
    ), ranked as materialized (
      select d.*, row_number() over (partition by d.workspace_id order by d.at) + coalesce(w.turns, 0) as place
      from due d
      left join unnest(${[...working.keys()]}::uuid[], ${[...working.values()].map(placesTaken)}::int[]) as w(workspace_id, turns)
        using (workspace_id)
    ), chosen as (
      select t.* from (select * from ranked where place <= ${CAPACITY_EACH} order by place, at) r cross join lateral (
        select workspace_id, page_id, version, leased_until from page_turn
        where workspace_id = r.workspace_id and page_id = r.page_id and greatest(due_at, leased_until) <= now()
        limit 1 for update skip locked
      ) t where t.version = r.version and t.leased_until = r.leased_until limit ${limit}::int
    ), turn as (
      update page_turn t set leased_until = now() + ${LEASE_SECONDS} * interval '1 second', leased_by = ${leasedBy}::int
      from chosen c where t.workspace_id = any(array[c.workspace_id]) and t.page_id = any(array[c.page_id])
      returning t.workspace_id, t.page_id, t.version, t.leased_until
    )`;
}

function placesTaken(turns: Set<{ at: number }>): number {
  const [oldest] = turns;
  const isHanging = oldest !== undefined && Date.now() - oldest.at > HANGING_MS;
  return isHanging ? CAPACITY_EACH : turns.size;
}

/** Decides and saves, and decides again when what the decision stood on has changed meanwhile. */
async function workTurn(claimed: LoadedTurn): Promise<number | null> {
  let turn: LoadedTurn | undefined = claimed;
  for (let attempt = 0; turn && attempt < MAX_ATTEMPTS; attempt += 1) {
    const plan = await planTurn(turn);
    const saved = await whileLeased(turn, (leased) => commitTurn(leased, plan));
    if (saved !== 'stale') return saved.dueInMs;
    [turn] = await loadTurns([turn]);
  }
  throw new Error(`What page ${claimed.pageId} was decided on kept changing`);
}
