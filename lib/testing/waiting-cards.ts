import { randomUUID } from 'node:crypto';
import { db } from '@/lib/db/database';
import { sealMessage } from '@/lib/features/notifications/sealed-message';

interface RuleOfCards {
  id: string;
  accountId: string;
  channelId: string;
}

/** Cards with these texts that wait for a rule's channel, as a page's turn leaves them. */
export async function addWaitingCards(rule: RuleOfCards, contents: string[]): Promise<void> {
  const { id: ruleId, accountId, channelId } = rule;
  await db().$transaction(async (tx) => {
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
    // A channel that has to wait keeps its time.
    await tx.$executeRaw`
      insert into channel_turn (channel_id, account_id) values (${channelId}, ${accountId}::uuid)
      on conflict (channel_id) do update set account_id = excluded.account_id, version = channel_turn.version + 1`;
    await tx.$executeRaw`select pg_notify('pagewire_turns', 'channel_turn')`;
  });
}

/** The same for the rule of an id. */
export async function addCardsOfRule(ruleId: string, contents: string[]): Promise<void> {
  await addWaitingCards(await db().rule.findUniqueOrThrow({ where: { id: ruleId } }), contents);
}
