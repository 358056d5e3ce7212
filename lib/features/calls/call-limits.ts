import { Prisma, runStatement } from '@/lib/db/database';

/** Stops all workers from calls of this kind until a time on this process's own clock. */
export interface CallBlock {
  key: string;
  until: number;
}

/** The key for every call of the bot. */
export const WHOLE_BOT = 'discord';

/** The key for new messages in one channel. */
export const channelLimit = (channelId: string) => `discord:${channelId}`;

/**
 * The key for edits in one channel and for the start of threads there, which Discord limits apart from new messages.
 * They keep their order, so one key stops both.
 */
export const followUpLimit = (channelId: string) => `discord:follow-up:${channelId}`;

/** The key for calls to Notion through one connection. */
export const connectionLimit = (workspaceId: string) => `notion:${workspaceId}`;

/** For how many milliseconds no call of these kinds may be made; 0 when one may be. */
export async function blockedForMs(...keys: string[]): Promise<number> {
  const [limit] = await runStatement<{ ms: number | null }>(Prisma.sql`
    select extract(epoch from max(blocked_until) - now())::float8 * 1000 as ms
    from rate_limit where key = any(${keys}::text[])`);
  return Math.max(0, limit?.ms ?? 0);
}

/** Claims a key for some milliseconds, for all processes together; false while an earlier claim lasts. */
export async function isFirstIn(key: string, ms: number): Promise<boolean> {
  const taken = await runStatement(Prisma.sql`
    insert into rate_limit as r (key, blocked_until)
    values (${key}, now() + ${ms}::float8 * interval '1 millisecond')
    on conflict (key) do update set blocked_until = excluded.blocked_until where r.blocked_until <= now()
    returning 1`);
  return taken.length > 0;
}

/** Stops every worker from calls that Discord or Notion does not allow now. */
export function blockCallsSql(blocks: CallBlock[]): Prisma.Sql {
  const now = performance.now();
  // Rounded up to the column's milliseconds. Whatever blocks for longer, such as a timeout of the bot, keeps its
  // status.
  return Prisma.sql`
    insert into rate_limit (key, blocked_until)
    select key, now() + (max(greatest(0, in_ms)) + 1) * interval '1 millisecond'
    from unnest(${blocks.map(({ key }) => key)}::text[],
      ${blocks.map(({ until }) => until - now)}::float8[]) as b (key, in_ms)
    group by key order by key
    on conflict (key) do update set refusals = 0,
      status = case when rate_limit.blocked_until > excluded.blocked_until then rate_limit.status else excluded.status end,
      blocked_until = greatest(rate_limit.blocked_until, excluded.blocked_until)`;
}
