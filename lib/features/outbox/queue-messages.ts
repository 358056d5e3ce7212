import { Prisma } from '@/lib/db/database';

/**
 * Puts messages into the line. `rows` selects id, at, sequence, account_id, source_id, kind, state, target_id,
 * discord_message_id and sealed_body. A statement that writes.
 */
export const queueMessagesSql = (rows: Prisma.Sql) => Prisma.sql`
  insert into message (id, at, sequence, account_id, source_id, kind, state, target_id, discord_message_id, sealed_body)
  ${rows}`;

/**
 * Has a turn come for channels that have messages to send. `channels` selects their `target_id` and the `account_id` whose
 * message it is. One row at most; a statement that nobody reads from does not run.
 */
export const wakeChannelsSql = (channels: Prisma.Sql) => Prisma.sql`
  select wake_channels(array_agg(target_id), array_agg(account_id))::text as woken from (${channels}) as ringing
  having count(*) > 0`;
