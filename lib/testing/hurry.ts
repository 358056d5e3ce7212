import { db, Prisma } from '@/lib/db/database';
import { DUE_NOW } from './due-now';

/**
 * Makes messages due that wait for a later attempt, so that a minute of trouble passes in seconds. Does what the
 * database allows at the moment, which may be part of the trouble.
 */
export async function hurry(): Promise<void> {
  const steps = [
    Prisma.sql`update message set not_before = now() where state = 'waiting' and not_before > now()`,
    Prisma.sql`update channel_turn set due_at = ${DUE_NOW} where due_at > now() and leased_until < now()`,
  ];
  for (const step of steps)
    await db()
      .$executeRaw(step)
      .catch(() => {});
  await db().$executeRaw`select pg_notify('pagewire_turns', 'channel_turn')`;
}
