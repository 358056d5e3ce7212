import { Prisma } from '@/lib/db/database';

/**
 * Adds messages to the outbox. `rows` selects id, at, sequence, account_id, source_id, kind, state, target_id,
 * discord_message_id, sealed_body and the columns named in `some`, which only some kinds of messages have.
 */
export const queueMessagesSql = (
  rows: Prisma.Sql,
  some: ('page_id' | 'decision_id' | 'remark' | 'tried_at')[] = [],
) => Prisma.sql`
  insert into message (id, at, sequence, account_id, source_id, kind, state, target_id, discord_message_id, sealed_body${Prisma.raw(
    some.map((column) => `, ${column}`).join(''),
  )})
  ${rows}`;

/**
 * Wakes the turns of channels that have messages to send. `channels` selects their `target_id`, and the `account_id` of
 * the message. Returns at most one row; PostgreSQL skips this part of a statement unless something reads from it.
 */
export const wakeChannelsSql = (channels: Prisma.Sql) => Prisma.sql`
  select wake_channels(array_agg(target_id), array_agg(account_id))::text as woken from (${channels}) as ringing
  having count(*) > 0`;
