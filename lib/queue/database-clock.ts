import { db, Prisma } from '../db/database';
import { log } from '../log';

// Less is no more than the clocks of a failover differ by, and a wait that is this much longer.
const LEAST_STEP = Prisma.sql`interval '5 seconds'`;

// A step that is smaller than this may go unnoticed, and after a larger one waits may last this much longer.
const NOTED_EVERY = Prisma.sql`interval '15 seconds'`;

/**
 * Notes now and then what time it is for the database. When its clock has been put back since, what waits for a time
 * of the old clock is moved by as much; an hour back would otherwise have everything wait for an hour. Leases stay:
 * whoever has one ends it, and those of the dead are freed.
 */
export async function followDatabaseClock(): Promise<void> {
  const [seen] = await db().$queryRaw<{ isAhead: boolean; isOld: boolean }[]>`
    select at > now() + ${LEAST_STEP} as "isAhead", at < now() - ${NOTED_EVERY} as "isOld" from seen_clock`;
  if (seen?.isAhead) await moveWaitsBack();
  else if (!seen || seen.isOld) await noteTime();
}

async function noteTime(): Promise<void> {
  // A note that a crash of the database loses is made again; the disk is not waited for.
  await db().$executeRaw`
    insert into seen_clock (at) select now() where set_config('synchronous_commit', 'off', true) = 'off'
    on conflict (id) do update set at = excluded.at where seen_clock.at < excluded.at`;
}

async function moveWaitsBack(): Promise<void> {
  // Of several that find out, the first one moves it all.
  const [step] = await db().$queryRaw<{ seconds: number }[]>`
    with last as (
      select at from seen_clock for update
    ), step as (
      select at - now() as back from last where at > now() + ${LEAST_STEP}
    ), noted as (
      update seen_clock set at = now() from step
    ), pages as (
      update page_turn set due_at = due_at - back from step where due_at > now()
    ), channels as (
      update channel_turn set due_at = due_at - back from step where due_at > now()
    ), slots as (
      update send_slot set free_at = free_at - back from step where free_at > now()
    ), limits as (
      update rate_limit set blocked_until = blocked_until - back from step where blocked_until > now()
    ), messages as (
      update message set not_before = ${movedBack('not_before')}, tried_at = ${movedBack('tried_at')},
        postponed_at = ${movedBack('postponed_at')}
      from step where state = 'waiting' and greatest(not_before, tried_at, postponed_at) > now()
    ), unsettled as (
      update decision set created_at = created_at - back from step
      where (outcome = 'settling' or is_early) and created_at > now()
    ), shown as (
      update card set page_read_at = page_read_at - back from step, decision d
      where d.is_early and d.message_id = card.message_id and d.event_at = card.at and page_read_at > now()
    ), events as (
      update notion_event e set received_at = received_at - back from step, page_turn t
      where e.workspace_id = t.workspace_id and e.page_id = t.page_id and received_at > now()
    ), notices as (
      update held_notice set tried_at = tried_at - back from step where tried_at > now()
    ), passes as (
      update notion_workspace set reconcile_at = reconcile_at - back from step where reconcile_at > now()
    ), checkpoints as (
      update notion_database set checkpoint_at = checkpoint_at - back from step where checkpoint_at > now()
    ), jobs as (
      update graphile_worker._private_jobs set run_at = run_at - back from step where run_at > now()
    ), workers as (
      update worker_process set started_at = ${movedBack('started_at')}, beat_at = ${movedBack('beat_at')}
      from step where greatest(started_at, beat_at) > now()
    )
    select extract(epoch from back)::float8 as seconds from step`;
  if (step) log.warn(step, 'the clock of the database was put back');
}

const movedBack = (column: string) =>
  Prisma.raw(`case when ${column} > now() then ${column} - back else ${column} end`);

/** What time it is for the database, or will be in so many milliseconds. */
export type DatabaseTime = (inMs?: number) => Date;

/**
 * The database's clock, from what it showed when it was asked at a moment of this process's own clock, which never
 * steps. What is stored is stamped by the database, and the clock of this host may differ from it.
 */
export const databaseTimeSince =
  (shown: Date, askedAt: number): DatabaseTime =>
  (inMs = 0) =>
    new Date(shown.getTime() + performance.now() - askedAt + inMs);
