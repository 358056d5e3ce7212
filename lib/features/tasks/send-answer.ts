import {
  editOriginalResponse,
  type InteractionMessage,
  isExpiredInteraction,
} from '@/lib/integrations/discord/discord-interactions';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { afterDoors } from '@/lib/queue/after-doors';
import { SECOND_MS } from '@/lib/time';
import { type DeferredAnswer, markAnswered } from './interactions';

/** Fills in a deferred answer. Returns when to try again while Discord does not take it. */
export async function sendAnswer(
  answer: DeferredAnswer,
  message: InteractionMessage,
): Promise<{ done: true } | { retryAt: Date }> {
  await afterDoors();
  try {
    await editOriginalResponse(answer.token, message);
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error;
    if (error.isTransient) return { retryAt: new Date(Date.now() + (error.retryAfterMs ?? 2 * SECOND_MS)) };
    // The fifteen minutes are over, or the person dismissed the message: nobody waits any more.
    if (!isExpiredInteraction(error)) {
      log.warn({ err: error, interactionId: answer.id }, 'answer not taken');
    }
  }
  await markAnswered(answer.id);
  return { done: true };
}
