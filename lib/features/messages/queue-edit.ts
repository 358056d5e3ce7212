import { randomUUID } from 'node:crypto';
import { db, Prisma } from '@/lib/db/database';
import { hasRun } from '@/lib/db/planner-hints';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { MessageKey } from './change-waiting';
import { dropEditsOfSql } from './drop-messages';
import { queueMessagesSql, wakeChannelsSql } from './queue-messages';
import { sealMessage } from './sealed-body';

/**
 * Queues an edit of a posted message in place of one that waits in the outbox or is being sent, so that no older edit
 * follows it. Locks the account before the messages, as its deletion does, and the channel last.
 */
export async function queueEdit(posted: MessageKey, body: MessageBody): Promise<void> {
  const id = randomUUID();
  await db().$queryRaw`
    with post as materialized (
      select m.account_id, m.source_id, m.target_id, m.discord_message_id
      from message m join account a on a.id = m.account_id
      where m.id = ${posted.id}::uuid and m.at = ${posted.at}::timestamptz for key share of a
    ), replaced as (
      ${dropEditsOfSql('post')}
      returning 1
    ), edit as (
      ${queueMessagesSql(Prisma.sql`
        select ${id}::uuid, date_trunc('milliseconds', now()), nextval('message_sequence_seq'), account_id, source_id,
          'edit'::message_kind, 'waiting'::message_state, target_id, discord_message_id, ${sealMessage(id, body)}::bytea
        from post where ${hasRun('replaced')}`)}
      returning target_id, account_id
    )
    ${wakeChannelsSql(Prisma.sql`select target_id, account_id from edit`)}`;
}
