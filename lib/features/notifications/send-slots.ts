import { setTimeout as sleep } from 'node:timers/promises';
import { Prisma, runStatement } from '@/lib/db/database';
import { gateBotCalls } from '@/lib/integrations/discord/discord-request';
import { SECOND_MS } from '@/lib/time';

/** One of the calls that Discord allows the bot in a second, taken until `leasedUntil`. */
export interface Slot {
  id: number;
  leasedUntil: Date;
}

export interface FreedSlot {
  slot: Slot;
  /** From when on it may be taken again, on this process's own clock. */
  freeAt: number;
}

/**
 * When a slot that was used is free: a second after the answer, now. Discord counted the call before it answered, so
 * no more calls than there are slots can fall into any second of Discord's, however it counts.
 */
export const freeAfterAnswer = () => performance.now() + SECOND_MS;

// Longer than a call's timeout.
const BOOKED_SECONDS = 15;

const BOOKED_AHEAD_MS = 1.1 * SECOND_MS;
const LOOK_AGAIN_MS = 10;

/** Gives slots back. A statement that writes. */
export function freeSlotsSql(freed: FreedSlot[]): Prisma.Sql {
  const now = performance.now();
  const inMs = freed.map(({ freeAt }) => freeAt - now);
  // Rounded up to the column's milliseconds. A slot that was lost meanwhile belongs to somebody else.
  return Prisma.sql`
    update send_slot s set free_at = now() + (greatest(0, f.in_ms) + 1) * interval '1 millisecond'
    from unnest(${freed.map(({ slot }) => slot.id)}::int[],
      ${freed.map(({ slot }) => slot.leasedUntil)}::timestamptz[], ${inMs}::float8[]) as f (id, lease, in_ms)
    where s.id = any(array[f.id]) and s.free_at = f.lease`;
}

/**
 * Has the bot's other calls of Discord take slots too, for they count towards its fifty a second as well: each takes
 * the one that is free the soonest, before the cards get it, and waits for it. Answers to interactions do not count.
 */
export const spaceBotCalls = () => gateBotCalls(callWithSlot);

async function callWithSlot<T>(call: () => Promise<T>): Promise<T> {
  const { slot, inMs } = await bookSlot();
  await sleep(inMs);
  try {
    return await call();
  } finally {
    await runStatement(freeSlotsSql([{ slot, freeAt: freeAfterAnswer() }]));
  }
}

/** The slot that is free the soonest, and in how many milliseconds. */
async function bookSlot(): Promise<{ slot: Slot; inMs: number }> {
  for (;;) {
    // One that a call is under way with is not waited for: its lease says little about when it is free.
    const [booked] = await runStatement<Slot & { inMs: number }>(Prisma.sql`
      with soonest as (
        select id, extract(epoch from greatest(free_at, now()) - now())::float8 * 1000 as in_ms from send_slot
        where free_at <= now() + ${BOOKED_AHEAD_MS} * interval '1 millisecond'
        order by free_at limit 1 for update skip locked
      )
      update send_slot s set free_at = greatest(s.free_at, now()) + ${BOOKED_SECONDS} * interval '1 second'
      from soonest where s.id = soonest.id
      returning s.id, s.free_at as "leasedUntil", soonest.in_ms as "inMs"`);
    if (booked) return { slot: { id: booked.id, leasedUntil: booked.leasedUntil }, inMs: booked.inMs };
    await sleep(LOOK_AGAIN_MS);
  }
}
