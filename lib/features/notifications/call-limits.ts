import { Prisma, runStatement } from '@/lib/db/database';

/** Every call of the bot. */
export const WHOLE_BOT = 'discord';

/** Messages to one channel. */
export const channelLimit = (channelId: string) => `discord:${channelId}`;

/** Keeps every worker from calls of this kind for so long from now. */
export async function blockCalls(key: string, forMs: number): Promise<void> {
  // Rounded up to the column's milliseconds.
  await runStatement(Prisma.sql`
    insert into rate_limit (key, blocked_until)
    values (${key}, now() + (${forMs}::float8 + 1) * interval '1 millisecond')
    on conflict (key) do update set blocked_until = greatest(rate_limit.blocked_until, excluded.blocked_until)`);
}
