import { open, seal } from '@/lib/crypto';
import { inChunks, listPartitions } from '@/lib/db/partitions';
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

/** How long the bodies of unsent messages are kept. The page "Privacy" states the same. */
const BODIES_KEPT = '30 days';

const CHUNK = 1000;

/**
 * Deletes the bodies of messages that were held or failed a month ago. Skips messages that are being sent, or sent
 * again at this moment. Sorted like an index that holds only such messages, so that no table is scanned.
 */
export async function forgetOldBodies(): Promise<void> {
  for (const part of await listPartitions('message')) {
    await inChunks(
      CHUNK,
      `update ${part} set sealed_body = null where ctid = any(array(
         select ctid from ${part} where sealed_body is not null and state in ('held', 'failed')
           and at < now() - $1::interval order by at limit ${CHUNK} for update skip locked))`,
      [BODIES_KEPT],
    );
  }
}
