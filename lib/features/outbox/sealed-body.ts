import { open, seal } from '@/lib/crypto';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { log } from '@/lib/log';

// What bodies have been sealed for from the beginning.
export const purposeOf = (messageId: string) => `delivery:${messageId}`;

interface SealedMessage {
  id: string;
  sealedBody: Uint8Array;
}

/** A message as its row keeps it. */
export function sealMessage(messageId: string, message: MessageBody): Uint8Array<ArrayBuffer> {
  return seal(JSON.stringify(message), purposeOf(messageId));
}

/** A message as Discord is asked to show it. */
export function openMessage({ id, sealedBody }: SealedMessage): MessageBody {
  return JSON.parse(open(sealedBody, purposeOf(id))) as MessageBody;
}

/** The same; null when it cannot be opened any more. */
export function readMessage(message: SealedMessage): MessageBody | null {
  try {
    return openMessage(message);
  } catch (error) {
    log.error({ err: error, messageId: message.id }, 'message cannot be opened');
    return null;
  }
}

/** What Discord recognises a repeated attempt of this message by: its id in 22 characters, of 25 allowed. */
export function nonceOf(messageId: string): string {
  return Buffer.from(messageId.replaceAll('-', ''), 'hex').toString('base64url');
}
