import { Prisma } from '@/lib/db/database';

/**
 * Has a turn come for channels that have cards to send, and announces it. `channels` selects their `channel_id` and the
 * `account_id` whose card it is: a channel goes with its server from one account to another. A channel that has to wait
 * keeps its time. A statement that writes.
 */
export const wakeChannelsSql = (channels: Prisma.Sql) => Prisma.sql`
  insert into channel_turn (channel_id, account_id, due_at)
  select distinct on (channel_id) channel_id, account_id, date_trunc('milliseconds', now())
  from (${channels}) as waiting order by channel_id
  on conflict (channel_id) do update set account_id = excluded.account_id, version = channel_turn.version + 1
  returning pg_notify('pagewire_turns', 'channel_turn')`;
