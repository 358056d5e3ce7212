import { z } from 'zod';
import { db } from '@/lib/db/database';
import { editMessage } from '@/lib/integrations/discord/discord-messages';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { defineJob } from '@/lib/queue/define-job';
import { DAY_MS, MINUTE_MS, SECOND_MS, timeLeft } from '@/lib/time';
import { openMessage } from './sealed-message';

const GIVE_UP_AFTER_MS = DAY_MS;
const LONGEST_WAIT_MS = 5 * MINUTE_MS;

// What was read longer ago may have changed since, and somebody else may have completed the card.
const FRESH_MS = MINUTE_MS;

export const completeCardJob = defineJob({
  name: 'complete-card',
  payload: z.object({ deliveryId: z.uuid(), eventAt: z.iso.datetime({ offset: true }) }),
  key: ['deliveryId'],
});

/**
 * Changes a card that was posted before its new page had settled into what the page has become. Returns when to
 * try again while Discord does not take it; a card that it refuses to change stays as it is.
 */
export async function completeCard({
  deliveryId: id,
  eventAt,
}: z.infer<typeof completeCardJob.payload>): Promise<{ done: true } | { retryInMs: number }> {
  const claimLeft = timeLeft(FRESH_MS);
  const delivery = await db().delivery.findUnique({
    where: { id_eventAt: { id, eventAt: new Date(eventAt) } },
  });
  const { accountId, state, channelId, messageId, sealedMessage, finishedAt } = delivery ?? {};
  if (!accountId || state !== 'sent' || !channelId || !messageId || !sealedMessage) return { done: true };
  try {
    await editMessage(accountId, channelId, messageId, openMessage({ id, sealedMessage }), claimLeft);
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error;
    const waitedMs = Date.now() - (finishedAt?.getTime() ?? 0);
    if (error.isTransient && waitedMs < GIVE_UP_AFTER_MS) {
      const patienceMs = Math.min(LONGEST_WAIT_MS, Math.max(SECOND_MS, waitedMs / 4));
      return { retryInMs: error.retryAfterMs ?? patienceMs };
    }
    log.warn({ err: error, deliveryId: id }, 'card not completed');
  }
  // Unless the page has become something else meanwhile, which is another job.
  await db().delivery.updateMany({ where: { id, sealedMessage }, data: { sealedMessage: null } });
  return { done: true };
}
