import { randomUUID } from 'node:crypto';
import { db, Prisma } from '@/lib/db/database';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { sealMessage } from './sealed-body';

/**
 * Adds messages to the outbox. `rows` selects id, at, sequence, account_id, source_id, kind, state, target_id,
 * discord_message_id, sealed_body and the columns named in `living`, which only messages of living cards have.
 */
export const queueMessagesSql = (
  rows: Prisma.Sql,
  living: ('page_id' | 'decision_id' | 'remark')[] = [],
) => Prisma.sql`
  insert into message (id, at, sequence, account_id, source_id, kind, state, target_id, discord_message_id, sealed_body${Prisma.raw(
    living.map((column) => `, ${column}`).join(''),
  )})
  ${rows}`;

/**
 * Wakes the turns of channels that have messages to send. `channels` selects the `target_id` and `account_id` of those
 * messages. Returns at most one row; PostgreSQL skips this part of a statement unless something reads from it.
 */
export const wakeChannelsSql = (channels: Prisma.Sql) => Prisma.sql`
  select wake_channels(array_agg(target_id), array_agg(account_id))::text as woken from (${channels}) as ringing
  having count(*) > 0`;

/**
 * Queues an edit of a posted message in place of an edit that waits in the outbox or is being sent, so that no older
 * edit follows it. Returns whether there was one; otherwise queues nothing.
 */
export async function replaceEdit(posted: { id: string; at: Date }, body: MessageBody): Promise<boolean> {
  const id = randomUUID();
  const [queued] = await db().$queryRaw<{ woken: string }[]>`
    with post as (
      select account_id, source_id, target_id, discord_message_id from message
      where id = ${posted.id}::uuid and at = ${posted.at}::timestamptz
    ), replaced as (
      delete from message m using post where m.discord_message_id = post.discord_message_id
        and m.kind = 'edit' and m.state = 'waiting'
      returning 1
    ), edit as (
      ${queueMessagesSql(Prisma.sql`
        select ${id}::uuid, date_trunc('milliseconds', now()), nextval('message_sequence_seq'), account_id, source_id,
          'edit'::message_kind, 'waiting'::message_state, target_id, discord_message_id, ${sealMessage(id, body)}::bytea
        from post where exists (select 1 from replaced)`)}
      returning target_id, account_id
    )
    ${wakeChannelsSql(Prisma.sql`select target_id, account_id from edit`)}`;
  return queued !== undefined;
}
