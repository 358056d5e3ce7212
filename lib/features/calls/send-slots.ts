import { Prisma, runStatement } from '@/lib/db/database';
import { lookedUp } from '@/lib/db/planner-hints';
import { env } from '@/lib/env';
import { SECOND_MS } from '@/lib/time';

/** A leased slot: one of the calls that Discord allows the bot in any second. */
export interface Slot {
  id: number;
  leasedUntil: Date;
}

export interface FreedSlot {
  slot: Slot;
  /** When it may be taken again, on this process's own clock. */
  freeAt: number;
}

/**
 * How many slots, the first ones, are for calls that are not cards. Cards take the other slots first, and these only
 * when nobody else waits for them.
 */
export const sharedSlots = () => Math.ceil(env().DISCORD_CALLS_PER_SECOND / 5);

/** Makes as many slots as Discord allows calls in a second. A call that uses a slot too many ends without it. */
export async function openSlots(): Promise<void> {
  const slots = env().DISCORD_CALLS_PER_SECOND;
  await runStatement(Prisma.sql`
    with extra as (delete from send_slot where id > ${slots}::int)
    insert into send_slot (id) select generate_series(1, ${slots}::int) on conflict do nothing`);
}

/**
 * When a slot that was just used is free again: a second from now. Discord counted the call before it answered, so by
 * any way of counting no second contains more calls than there are slots.
 */
export const freeAfterResponse = () => performance.now() + SECOND_MS;

// Longer than a call's timeout.
const BOOKED_SECONDS = 15;

// A slot is free a second after the response. Booking it this early gets it before any card can.
const BOOKED_AHEAD_MS = 1.1 * SECOND_MS;

/** Gives slots back. */
export function freeSlotsSql(freed: FreedSlot[]): Prisma.Sql {
  const now = performance.now();
  const inMs = freed.map(({ freeAt }) => freeAt - now);
  // Rounded up to the column's milliseconds. A slot whose lease was lost belongs to another call by now.
  return Prisma.sql`
    update send_slot s set free_at = now() + (greatest(0, f.in_ms) + 1) * interval '1 millisecond'
    from unnest(${freed.map(({ slot }) => slot.id)}::int[],
      ${freed.map(({ slot }) => slot.leasedUntil)}::timestamptz[], ${inMs}::float8[]) as f (id, lease, in_ms)
    where s.id = ${lookedUp('f.id')} and s.free_at = f.lease`;
}

export interface BookedSlot {
  slot: Slot;
  /** In how many milliseconds it may be used. */
  inMs: number;
}

interface BookedRow {
  id: number | null;
  leasedUntil: Date;
  inMs: number;
  nextInMs: number | null;
}

/**
 * Books up to `count` of the shared slots, those that are free soonest. `nextInMs` says when another can be booked,
 * as far as known. Does not wait for a slot that a call is using: its lease says little about when it will be free.
 */
export async function bookSharedSlots(
  count: number,
): Promise<{ booked: BookedSlot[]; nextInMs: number | null }> {
  const rows = await runStatement<BookedRow>(Prisma.sql`
    with horizon as (
      select now() + ${BOOKED_AHEAD_MS} * interval '1 millisecond' as at
    ), soonest as (
      select id, greatest(free_at, now()) - now() as in_time, greatest(free_at, now()) as from_time from send_slot
      where id <= ${sharedSlots()} and free_at <= (select at from horizon)
      order by free_at limit ${count}::int for update skip locked
    ), booked as (
      update send_slot s set free_at = from_time + ${BOOKED_SECONDS} * interval '1 second'
      from soonest where s.id = ${lookedUp('soonest.id')}
      returning s.id, s.free_at, soonest.in_time
    )
    select booked.id, booked.free_at as "leasedUntil",
      extract(epoch from booked.in_time)::float8 * 1000 as "inMs",
      extract(epoch from next.at - (select at from horizon))::float8 * 1000 as "nextInMs"
    from (select min(free_at) as at from send_slot
      where id <= ${sharedSlots()} and free_at > (select at from horizon)) next
    left join booked on true order by booked.in_time`);
  const booked = rows.flatMap(({ id, leasedUntil, inMs }) =>
    id === null ? [] : [{ slot: { id, leasedUntil }, inMs }],
  );
  return { booked, nextInMs: rows[0]?.nextInMs ?? null };
}
