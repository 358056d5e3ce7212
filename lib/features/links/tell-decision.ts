import { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { hash } from '@/lib/crypto';
import { db, type Transaction } from '@/lib/db/database';
import { fitEscaped } from '@/lib/discord-text';
import { sendDirectMessage } from '@/lib/integrations/discord/discord-direct';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { defineJob, keyOf } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';

export const tellDecisionJob = defineJob({
  name: 'tell-link-decision',
  payload: z.object({
    requestId: z.string(),
    accountId: z.uuid(),
    discordUserId: z.string(),
    isApproved: z.boolean(),
  }),
  key: ['requestId'],
});

export type LinkDecision = z.infer<typeof tellDecisionJob.payload>;

const NONCE_LENGTH = 25;
const NAME_MAX = 200;

/** Has a job tell a person what became of their request to be linked. */
export async function enqueueDecision(tx: Transaction, decision: LinkDecision): Promise<void> {
  await enqueue(tx, tellDecisionJob, decision);
}

/**
 * Sends a decision as a direct message. Somebody who takes none from the bot hears of it when they ask again.
 * Returns when to try again while Discord does not answer.
 */
export async function tellDecision(decision: LinkDecision): Promise<{ done: true } | { retryInMs: number }> {
  const { requestId, accountId, discordUserId, isApproved } = decision;
  const declined = { id: requestId, declinedAt: { not: null } };
  const [server, link, isUntold] = await Promise.all([
    db().discordServer.findFirst({ where: { accountId } }),
    db().accountLink.findUnique({ where: { accountId_discordUserId: { accountId, discordUserId } } }),
    db().linkRequest.count({ where: declined }),
  ]);
  // Undone again, or told otherwise, before it could be told.
  if (!server || !(isApproved ? link : isUntold)) return { done: true };
  const place = fitEscaped(server.name, NAME_MAX);
  const content = link
    ? texts.linkApproved(fitEscaped(link.notionDisplayName, NAME_MAX), place)
    : texts.linkRejected(place);
  try {
    const nonce = hash(keyOf(tellDecisionJob, decision)).slice(0, NONCE_LENGTH);
    await sendDirectMessage(accountId, discordUserId, { content, allowed_mentions: { parse: [] } }, nonce);
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error;
    const waitMs = Math.max(error.retryAfterMs ?? MINUTE_MS, SECOND_MS);
    if (error.isTransient) return { retryInMs: waitMs };
    log.info({ code: error.code, requestId }, 'link decision not taken');
    return { done: true };
  }
  await db().linkRequest.deleteMany({ where: declined });
  return { done: true };
}
