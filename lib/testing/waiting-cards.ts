import { randomUUID } from 'node:crypto';
import { db, Prisma, transaction } from '@/lib/db/database';
import { sealMessage } from '@/lib/features/outbox/sealed-message';
import { wakeChannelsSql } from '@/lib/features/outbox/wake-channels';

interface RuleOfCards {
  id: string;
  accountId: string;
  channelId: string;
}

/** Cards with these texts that wait for a rule's channel, as a page's turn leaves them. */
export async function addWaitingCards(rule: RuleOfCards, contents: string[]): Promise<void> {
  const { id: ruleId, accountId, channelId } = rule;
  await transaction(async (tx) => {
    for (const content of contents) {
      const id = randomUUID();
      const sealedMessage = sealMessage(id, { content });
      await tx.delivery.create({
        data: {
          id,
          eventAt: new Date(),
          accountId,
          ruleId,
          eventId: id,
          pageId: 'page',
          channelId,
          sealedMessage,
        },
      });
    }
    await tx.$executeRaw(
      wakeChannelsSql(Prisma.sql`select ${channelId}::text as channel_id, ${accountId}::uuid as account_id`),
    );
  });
}

/** The same for the rule of an id. */
export async function addCardsOfRule(ruleId: string, contents: string[]): Promise<void> {
  await addWaitingCards(await db().rule.findUniqueOrThrow({ where: { id: ruleId } }), contents);
}
