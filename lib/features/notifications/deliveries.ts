import { randomUUID } from 'node:crypto';
import { open, seal } from '@/lib/crypto';
import type { Transaction } from '@/lib/db/database';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';

interface NewCard {
  rule: { id: string; accountId: string; channelId: string };
  event: { id: string; occurredAt: Date };
  pageId: string;
  message: MessageBody;
}

const purposeOf = (deliveryId: string) => `delivery:${deliveryId}`;

/** Records cards to be sent, at most one per rule and event, and wakes whoever sends to their channels. */
export async function createDeliveries(tx: Transaction, cards: NewCard[]): Promise<void> {
  for (const { rule, event, pageId, message } of cards) {
    const id = randomUUID();
    await tx.$executeRaw`
      insert into delivery (id, event_at, account_id, rule_id, event_id, page_id, channel_id, sealed_message)
      values (${id}::uuid, ${event.occurredAt}::timestamptz, ${rule.accountId}::uuid, ${rule.id}::uuid, ${event.id},
        ${pageId}, ${rule.channelId}, ${sealMessage(id, message)})
      on conflict (rule_id, event_id, event_at) do nothing`;
  }
  for (const { channelId, accountId } of new Map(cards.map(({ rule }) => [rule.channelId, rule])).values()) {
    // A channel that has to wait keeps its time.
    await tx.$executeRaw`
      insert into channel_turn (channel_id, account_id) values (${channelId}, ${accountId}::uuid)
      on conflict (channel_id) do update set account_id = excluded.account_id, version = channel_turn.version + 1`;
  }
  if (cards.length > 0) await tx.$executeRaw`select pg_notify('pagewire_turns', 'channel_turn')`;
}

/** The message of a delivery as its row keeps it. */
export function sealMessage(deliveryId: string, message: MessageBody): Uint8Array<ArrayBuffer> {
  return seal(JSON.stringify(message), purposeOf(deliveryId));
}

/** The message of a delivery as Discord is asked to post it. */
export function openMessage(delivery: { id: string; sealedMessage: Uint8Array }): MessageBody {
  return JSON.parse(open(delivery.sealedMessage, purposeOf(delivery.id))) as MessageBody;
}

/** What Discord recognises a repeated attempt of this delivery by: its id in 22 characters, of 25 allowed. */
export function nonceOf(deliveryId: string): string {
  return Buffer.from(deliveryId.replaceAll('-', ''), 'hex').toString('base64url');
}
