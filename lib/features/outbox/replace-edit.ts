import { randomUUID } from 'node:crypto';
import { db, Prisma } from '@/lib/db/database';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { queueMessagesSql, wakeChannelsSql } from './queue-messages';
import { sealMessage } from './sealed-body';

/**
 * Queues an edit of a posted message instead of the one that waits in the line or is on its way, which must not come after
 * it. Returns whether there was one; otherwise nothing is queued.
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
