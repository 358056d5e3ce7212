import { z } from 'zod';
import { hash } from '@/lib/crypto';
import { Prisma, type Transaction } from '@/lib/db/database';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { conversationSql } from '../letters/queue-person-digest';
import { queueMessagesSql } from '../messages/queue-messages';
import { sealMessage } from '../messages/sealed-body';
import { lockAccount } from '../tenancy/lock-account';

/** Sends what waits for a person, in order. */
export const sendDirectJob = defineJob({
  name: 'send-direct',
  payload: z.object({ conversationId: z.uuid() }),
  key: ['conversationId'],
});

/** Something to be said to one person. */
export interface DirectMessage {
  /** The account for which the bot writes. */
  accountId: string;
  discordUserId: string;
  /** What it is about: a second message with the same key and `at` is the same message, and is not queued. */
  key: string;
  at: Date;
  /** The row for which it is sent; the message is dropped once `is_direct_wanted` in the database denies it. */
  sourceId: string;
  body: Pick<MessageBody, 'content' | 'embeds' | 'components'>;
}

/** Puts a message to a person into the outbox, once. It pings nobody and does not count as a notification. */
export async function queueDirect(tx: Transaction, message: DirectMessage): Promise<void> {
  const { accountId, discordUserId, at, sourceId } = message;
  const id = idOf(message.key);
  const sealedBody = sealMessage(id, { ...message.body, allowed_mentions: { parse: [] } });
  // The account before its jobs, as its deletion locks them.
  await lockAccount(tx, accountId);
  const [conversation] = await tx.$queryRaw<[{ id: string }]>`
    ${conversationSql(accountId, discordUserId)} returning id`;
  await tx.$executeRaw`${queueMessagesSql(Prisma.sql`
    select ${id}::uuid, ${at}::timestamptz, nextval('message_sequence_seq'), ${accountId}::uuid, ${sourceId}::uuid,
      'direct'::message_kind, 'waiting'::message_state, ${conversation.id}, null, ${sealedBody}::bytea`)}
    on conflict do nothing`;
  await enqueue(tx, sendDirectJob, { conversationId: conversation.id }, { accountId });
}

const idOf = (key: string) => hash(key).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
