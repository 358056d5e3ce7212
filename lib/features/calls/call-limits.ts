import { Prisma, runStatement } from '@/lib/db/database';

/** No worker makes a call of this kind before this time, on this process's own clock. */
export interface CallBlock {
  key: string;
  until: number;
}

/** Every call of the bot. */
export const WHOLE_BOT = 'discord';

/** Messages in one channel. */
export const channelLimit = (channelId: string) => `discord:${channelId}`;

/** Calls of Notion through one connection. */
export const connectionLimit = (workspaceId: string) => `notion:${workspaceId}`;

/** For how many milliseconds no call of these kinds may be made; 0 when one may be. */
export async function blockedForMs(...keys: string[]): Promise<number> {
  const [limit] = await runStatement<{ ms: number | null }>(Prisma.sql`
    select extract(epoch from max(blocked_until) - now())::float8 * 1000 as ms
    from rate_limit where key = any(${keys}::text[])`);
  return Math.max(0, limit?.ms ?? 0);
}

/** Keeps every worker from what Discord or Notion does not allow now. A statement that writes. */
export function blockCallsSql(blocks: CallBlock[]): Prisma.Sql {
  const now = performance.now();
  // Rounded up to the column's milliseconds.
  return Prisma.sql`
    insert into rate_limit (key, blocked_until)
    select key, now() + (max(greatest(0, in_ms)) + 1) * interval '1 millisecond'
    from unnest(${blocks.map(({ key }) => key)}::text[],
      ${blocks.map(({ until }) => until - now)}::float8[]) as b (key, in_ms)
    group by key order by key
    on conflict (key) do update set refusals = 0, status = excluded.status,
      blocked_until = greatest(rate_limit.blocked_until, excluded.blocked_until)`;
}
