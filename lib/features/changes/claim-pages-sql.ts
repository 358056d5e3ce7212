import { Prisma } from '@/lib/db/database';
import { COMMITS_ASYNCHRONOUSLY, lookedUp, notByIndex } from '@/lib/db/planner-hints';

/** How many turns of one connection a process works at once, at most. */
export const TURNS_OF_A_CONNECTION = 64;

// Longer than two reads of Notion with a token refresh between them, each of which may wait for its timeout.
const LEASE_SECONDS = 120;

// Reads this many times as many turns as can be claimed, so that one connection's backlog hides few others.
const LOOK_AHEAD = 4;
const CONNECTIONS_AT_ONCE = 64;
const TURNS_EACH = 4;

interface Claim {
  limit: number;
  /** How many turns of each connection this process is working. */
  running: { workspaceId: string; turns: number }[];
  /** The connection after which the rotation goes on, where the last claim's ended; null at its start. */
  rotatedTo: string | null;
  leasedBy: number | null;
}

/**
 * Leases turns of pages that are due, in rotation between connections. It is a source for `loadSql`:
 *
 * 1. reads the turns that have been due the longest (`oldest`);
 * 2. if more are due than it reads, continues through the connections from where the last claim ended (`around`), and
 *    takes a few due turns of each, so that one connection's backlog cannot hide the others (`due`);
 * 3. ranks them, each connection's first before any connection's second, counting those already being worked
 *    (`ranked`), and gives a connection another turn only while more are free than it has (`fair`): however many
 *    connections hang, some turns are free for the others;
 * 4. locks the first of them, skipping what another process is claiming (`chosen`), and leases those (`turn`).
 *
 * What is loaded with the claim is as old as step 1. So a turn that changed between that step and its lock is left out,
 * because an event may have come with the change. The change was announced, and the next claim takes the turn.
 *
 * A lease lost in a crash protected nobody, so this does not wait for the flush.
 */
export const claimPagesSql = ({ limit, running, rotatedTo, leasedBy }: Claim): Prisma.Sql => Prisma.sql`
    with recursive oldest as materialized (
      select workspace_id, page_id, version, leased_until, greatest(due_at, leased_until) as at from page_turn
      where greatest(due_at, leased_until) <= now() and (select ${COMMITS_ASYNCHRONOUSLY})
      order by greatest(due_at, leased_until) limit ${limit * LOOK_AHEAD}::int
    ), around(workspace_id, nr) as (
      (select workspace_id, 1 from page_turn
      where workspace_id > coalesce(${rotatedTo}::uuid, '00000000-0000-0000-0000-000000000000')
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
        where workspace_id = a.workspace_id and greatest(due_at, leased_until) <= now() limit ${TURNS_EACH}
      ) p
    ), ranked as materialized (
      select d.*, row_number() over (partition by d.workspace_id order by d.at) + coalesce(w.turns, 0) as rank
      from due d
      left join unnest(${running.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${running.map(({ turns }) => turns)}::int[]) as w(workspace_id, turns) using (workspace_id)
    ), fair as (
      select *, row_number() over (order by rank, at) as nr from ranked where rank <= ${TURNS_OF_A_CONNECTION}
    ), chosen as (
      select t.* from (
        select * from fair where rank <= ${limit}::int + 1 - nr order by nr
      ) r cross join lateral (
        select workspace_id, page_id, version, leased_until from page_turn
        where workspace_id = r.workspace_id and page_id = r.page_id
          and ${notByIndex(Prisma.sql`greatest(due_at, leased_until) <= now()`)}
        limit 1 for update skip locked
      ) t where t.version = r.version and t.leased_until = r.leased_until limit ${limit}::int
    ), turn as (
      update page_turn t set leased_until = now() + ${LEASE_SECONDS} * interval '1 second', leased_by = ${leasedBy}::int
      from chosen c where t.workspace_id = ${lookedUp('c.workspace_id')} and t.page_id = ${lookedUp('c.page_id')}
      returning t.workspace_id, t.page_id, t.version, t.leased_until,
        (select workspace_id from around order by nr desc limit 1) as rotated_to
    )`;
