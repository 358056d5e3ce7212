import { z } from 'zod';
import { db } from '@/lib/db/database';
import type { FurtherPages } from '../cards/digest-card';
import { readFurtherPages, readPages, readTold, toReadingRule } from './read-digest';

/**
 * Further pages of a digest, beyond what its message shows. Only in the channel of the message, because everybody who
 * reads that channel may see them. Null when the digest is no longer kept.
 */
export async function readMore(
  { guildId, channelId }: { guildId: string; channelId: string },
  messageId: string,
  wanted: number,
): Promise<FurtherPages | null> {
  if (!z.uuid().safeParse(messageId).success) return null;
  const [message] = await db().$queryRaw<{ accountId: string; ruleId: string }[]>`
    select m.account_id as "accountId", m.source_id as "ruleId"
    from message m join discord_server s on s.account_id = m.account_id and s.guild_id = ${guildId}
    where m.id = ${messageId}::uuid and m.target_id = ${channelId} and m.kind = 'post' and m.state = 'sent'
      and m.source_id is not null limit 1`;
  if (!message) return null;
  const rule = await db().rule.findUnique({
    where: { id: message.ruleId },
    include: { database: true, page: true },
  });
  if (!rule) return null;
  const { accountId } = message;
  const told = await readTold(db(), { id: messageId, accountId });
  const pages = await readPages(db(), told, toReadingRule(rule));
  return readFurtherPages(db(), pages, wanted);
}
