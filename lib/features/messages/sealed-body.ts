import { open, seal } from '@/lib/crypto';
import { inChunks, listPartitions } from '@/lib/db/partitions';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { log } from '@/lib/log';

// Keeps the old word, because stored bodies are sealed for it.
export const purposeOf = (messageId: string) => `delivery:${messageId}`;

interface SealedMessage {
  id: string;
  sealedBody: Uint8Array;
}

/** Seals a message's body for its row. */
export function sealMessage(messageId: string, message: MessageBody): Uint8Array<ArrayBuffer> {
  return seal(JSON.stringify(message), purposeOf(messageId));
}

/** Opens the body of a message, as it is sent to Discord. Throws when it cannot be opened. */
function openMessage({ id, sealedBody }: SealedMessage): MessageBody {
  return JSON.parse(open(sealedBody, purposeOf(id))) as MessageBody;
}

/** Opens the body of a message; null when it cannot be opened any more. */
export function readMessage(message: SealedMessage): MessageBody | null {
  try {
    return openMessage(message);
  } catch (error) {
    log.error({ err: error, messageId: message.id }, 'message cannot be opened');
    return null;
  }
}

/** The nonce by which Discord recognises a repeated attempt: the id in 22 characters; Discord allows 25. */
export function nonceOf(messageId: string): string {
  return Buffer.from(messageId.replaceAll('-', ''), 'hex').toString('base64url');
}

/** How long the bodies of unsent messages are kept. The page "Privacy" states the same. */
const BODIES_KEPT = '30 days';

const CHUNK = 1000;

/**
 * Deletes the bodies of messages that were held or failed and are a month old. Skips messages that somebody is sending
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
