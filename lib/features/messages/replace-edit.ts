import { randomUUID } from 'node:crypto';
import { db, Prisma } from '@/lib/db/database';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { dropEditsOfSql } from './drop-messages';
import { queueMessagesSql, wakeChannelsSql } from './queue-messages';
import { sealMessage } from './sealed-body';

/**
 * Queues an edit of a posted message in place of one that waits in the outbox or is being sent, so that no older edit
 * follows it. Returns whether there was one; otherwise queues nothing.
 */
export async function replaceEdit(posted: { id: string; at: Date }, body: MessageBody): Promise<boolean> {
  const id = randomUUID();
  const [queued] = await db().$queryRaw<{ woken: string }[]>`
    with post as (
      select account_id, source_id, target_id, discord_message_id from message
      where id = ${posted.id}::uuid and at = ${posted.at}::timestamptz
    ), replaced as (
      ${dropEditsOfSql('post')} returning 1
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
