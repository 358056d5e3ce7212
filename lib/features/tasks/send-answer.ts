import {
  editOriginalResponse,
  type InteractionMessage,
  isExpiredInteraction,
  isUnknownReply,
} from '@/lib/integrations/discord/discord-interactions';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { afterDoors } from '@/lib/queue/after-doors';
import { SECOND_MS } from '@/lib/time';
import { type DeferredAnswer, markAnswered } from './interactions';

const BAD_REQUEST = 400;
// Another process may have the answer before the acknowledgement from the door has reached Discord.
const ACKNOWLEDGED_WITHIN_MS = 10 * SECOND_MS;

/**
 * Sends a deferred answer, or its plain version if Discord refuses the layout. Returns when to try again if Discord
 * does not answer, or does not know the interaction yet.
 */
export async function sendAnswer(
  answer: DeferredAnswer,
  message: InteractionMessage,
  plain?: InteractionMessage,
): Promise<{ done: true } | { retryInMs: number }> {
  await afterDoors();
  try {
    await editOriginalResponse(answer.token, message);
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error;
    if (error.isTransient) return { retryInMs: error.retryAfterMs ?? 2 * SECOND_MS };
    if (isUnknownReply(error) && isFresh(answer)) return { retryInMs: SECOND_MS };
    // The fifteen minutes are over, or the person dismissed the message: nobody waits for the answer.
    if (!isExpiredInteraction(error)) {
      log.warn({ err: error, interactionId: answer.id }, 'answer not taken');
    }
    if (error.status === BAD_REQUEST && plain) return sendAnswer(answer, plain);
  }
  await markAnswered(answer.id);
  return { done: true };
}

const isFresh = ({ receivedAt }: DeferredAnswer) =>
  Date.now() - receivedAt.getTime() < ACKNOWLEDGED_WITHIN_MS;

/** Says that the answer takes longer. Failures are ignored. */
export async function sendMeanwhile(
  { id, token }: DeferredAnswer,
  message: InteractionMessage,
): Promise<void> {
  try {
    await editOriginalResponse(token, message);
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error;
    log.info({ err: error, interactionId: id }, 'delay not told');
  }
}
