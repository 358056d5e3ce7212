import { Prisma, type Transaction } from '@/lib/db/database';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
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

/**
 * Locks the conversation for the due digest of somebody who wants messages, and makes it the first time. Comes before
 * their link, as for the letters that are stored meanwhile.
 */
export async function lockConversation(tx: Transaction, accountId: string, linkId: string): Promise<void> {
  await tx.$executeRaw`
    insert into conversation (id, account_id, discord_user_id)
    select gen_random_uuid(), account_id, discord_user_id from account_link
    where id = ${linkId}::uuid and account_id = ${accountId}::uuid and digest_due_at <= now() and notify <> 'off'
    on conflict (account_id, discord_user_id) do update set used_at = now()`;
}

/** The start of a statement that notes the use of a conversation, and makes it the first time. */
export const conversationSql = (accountId: string, discordUserId: string): Prisma.Sql => Prisma.sql`
  insert into conversation (id, account_id, discord_user_id)
  values (gen_random_uuid(), ${accountId}::uuid, ${discordUserId})
  on conflict (account_id, discord_user_id) do update set used_at = now()`;
