import { open, seal } from '@/lib/crypto';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';

export const purposeOf = (deliveryId: string) => `delivery:${deliveryId}`;

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
