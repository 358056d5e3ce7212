import { Prisma, type Transaction } from '@/lib/db/database';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { conversationSql } from '../direct/queue-direct';
import { queueMessagesSql } from '../messages/queue-messages';
import { sealMessage } from '../messages/sealed-body';

interface PersonDigest {
  id: string;
  accountId: string;
  linkId: string;
  discordUserId: string;
  body: MessageBody;
}

/** Queues a person's digest. Its source is their link, so it is dropped with the link. */
export async function queuePersonDigest(
  tx: Transaction,
  { id, accountId, linkId, discordUserId, body }: PersonDigest,
): Promise<{ conversationId: string; at: Date }> {
  const [conversation] = await tx.$queryRaw<[{ id: string; at: Date }]>`
    ${conversationSql(accountId, discordUserId)}
    returning id, date_trunc('milliseconds', now()) as at`;
  const { id: conversationId, at } = conversation;
  await tx.$executeRaw(
    queueMessagesSql(Prisma.sql`
      select ${id}::uuid, ${at}::timestamptz, nextval('message_sequence_seq'), ${accountId}::uuid, ${linkId}::uuid,
        'letter'::message_kind, 'waiting'::message_state, ${conversationId}, null, ${sealMessage(id, body)}::bytea`),
  );
  return { conversationId, at };
}
