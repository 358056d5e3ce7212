import { randomUUID } from 'node:crypto';
import { db, Prisma, transaction } from '@/lib/db/database';
import { wakeChannelsSql } from '@/lib/features/messages/queue-messages';
import { sealMessage } from '@/lib/features/messages/sealed-body';

interface RuleOfCards {
  id: string;
  accountId: string;
  channelId: string;
}

/** Adds cards with these texts that wait for a rule's channel, as a page's turn would write them. */
export async function addWaitingCards(rule: RuleOfCards, contents: string[]): Promise<void> {
  const { id: ruleId, accountId, channelId } = rule;
  await transaction(async (tx) => {
    for (const content of contents) {
      const id = randomUUID();
      const sealedBody = sealMessage(id, { content });
      const at = new Date();
      const { sequence } = await tx.message.create({
        data: { id, at, accountId, sourceId: ruleId, targetId: channelId, sealedBody },
      });
      const told = { ruleId, accountId, pageId: 'page' };
      await tx.decision.create({
        data: { id, eventAt: at, sequence, eventId: id, outcome: 'message', messageId: id, ...told },
      });
      await tx.card.create({ data: { messageId: id, at, ...told } });
    }
    await tx.$executeRaw(
      wakeChannelsSql(Prisma.sql`select ${channelId}::text as target_id, ${accountId}::uuid as account_id`),
    );
  });
}

/** Like `addWaitingCards`, with the rule's id. */
export async function addCardsOfRule(ruleId: string, contents: string[]): Promise<void> {
  await addWaitingCards(await db().rule.findUniqueOrThrow({ where: { id: ruleId } }), contents);
}
