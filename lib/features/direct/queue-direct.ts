import { z } from 'zod';
import { hash } from '@/lib/crypto';
import { Prisma, type Transaction } from '@/lib/db/database';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { queueMessagesSql } from '../messages/queue-messages';
import { sealMessage } from '../messages/sealed-body';
import { lockAccount } from '../tenancy/lock-account';

/** Sends what waits for a person, in its order. */
export const sendDirectJob = defineJob({
  name: 'send-direct',
  payload: z.object({ conversationId: z.uuid() }),
  key: ['conversationId'],
});

/** Something to be said to one person. */
export interface DirectMessage {
  /** For whom it is said. */
  accountId: string;
  discordUserId: string;
  /** What it is about: of two with this key and time, the second is the first one again. */
  key: string;
  at: Date;
  /** What it is sent for, as `is_direct_wanted` of the database knows it; dropped once that is over. */
  sourceId: string;
  body: Pick<MessageBody, 'content' | 'components'>;
}

/** Puts a message to a person into the outbox, once. It pings nobody and counts for no plan. */
export async function queueDirect(tx: Transaction, message: DirectMessage): Promise<void> {
  const { accountId, discordUserId, at, sourceId } = message;
  const id = idOf(message.key);
  const sealedBody = sealMessage(id, { ...message.body, allowed_mentions: { parse: [] } });
  // Whoever deletes the account has its lock before that of its jobs.
  await lockAccount(tx, accountId);
  const [conversation] = await tx.$queryRaw<[{ id: string }]>`
    insert into conversation (id, account_id, discord_user_id)
    values (gen_random_uuid(), ${accountId}::uuid, ${discordUserId})
    on conflict (account_id, discord_user_id) do update set used_at = now()
    returning id`;
  await tx.$executeRaw`${queueMessagesSql(Prisma.sql`
    select ${id}::uuid, ${at}::timestamptz, nextval('message_sequence_seq'), ${accountId}::uuid, ${sourceId}::uuid,
      'direct'::message_kind, 'waiting'::message_state, ${conversation.id}, null, ${sealedBody}::bytea`)}
    on conflict do nothing`;
  await enqueue(tx, sendDirectJob, { conversationId: conversation.id }, { accountId });
}

const idOf = (key: string) => hash(key).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
