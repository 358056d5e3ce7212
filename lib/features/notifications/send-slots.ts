import { Prisma, runStatement } from '@/lib/db/database';
import { inBatches } from '@/lib/queue/in-batches';
import { SECOND_MS } from '@/lib/time';
import type { Slot } from './channel-turns';

interface FreedSlot {
  slot: Slot;
  /** In how many milliseconds it may be taken again. */
  inMs: number;
}

const LARGEST_BATCH = 100;

// Longer than a call's timeout.
const BOOKED_SECONDS = 15;

/**
 * Gives a slot back a second after the answer, now. Discord counted the call before it answered: no more than
 * the number of slots can fall into any second of Discord's, however it counts.
 */
export const freeUsedSlot = (slot: Slot) => freeSlot({ slot, inMs: SECOND_MS });

/** Gives a slot back that no call was made with. */
export const freeUnusedSlot = (slot: Slot) => freeSlot({ slot, inMs: 0 });

const freeSlot = inBatches(async (freed: FreedSlot[]): Promise<undefined[]> => {
  // Rounded up to the column's milliseconds. A slot that was lost meanwhile belongs to somebody else.
  await runStatement(Prisma.sql`
    update send_slot s set free_at = now() + (f.in_ms + 1) * interval '1 millisecond'
    from unnest(${freed.map(({ slot }) => slot.id)}::int[],
      ${freed.map(({ slot }) => slot.leasedUntil)}::timestamptz[],
      ${freed.map(({ inMs }) => inMs)}::float8[]) as f (id, lease, in_ms)
    where s.id = f.id and s.free_at = f.lease`);
  return freed.map(() => undefined);
}, LARGEST_BATCH);

/**
 * Takes the slot that is free the soonest for another call than a card's, before the cards get it, and says in
 * how many milliseconds the call may be made.
 */
export async function bookSlot(): Promise<FreedSlot> {
  const [booked] = await runStatement<Slot & { inMs: number }>(Prisma.sql`
    with soonest as (
      select id, extract(epoch from greatest(free_at, now()) - now())::float8 * 1000 as in_ms from send_slot
      order by free_at limit 1 for update skip locked
    )
    update send_slot s set free_at = greatest(s.free_at, now()) + ${BOOKED_SECONDS} * interval '1 second'
    from soonest where s.id = soonest.id
    returning s.id, s.free_at as "leasedUntil", soonest.in_ms as "inMs"`);
  if (!booked) throw new Error('Every slot is being taken');
  const { inMs, ...slot } = booked;
  return { slot, inMs };
}
