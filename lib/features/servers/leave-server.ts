import type { z } from 'zod';
import { StillUnderWay } from '@/lib/db/call-claim';
import { db, type Transaction } from '@/lib/db/database';
import { isBotGone, leaveGuild } from '@/lib/integrations/discord/discord-guild';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { openId, sealedIdPayload, sealId } from '@/lib/queue/hashed-id';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { whileServerClaimed } from './claim-server';

const NAME = 'leave-server';

// Discord may still carry out a call that it has not answered.
const UNANSWERED = [0, 502, 504];
const LATE_ANSWER_MS = MINUTE_MS;

const LOOK_AGAIN_MS = 5 * SECOND_MS;

export const leaveServerJob = defineJob({
  name: NAME,
  payload: sealedIdPayload(NAME, 'guildId'),
  key: ['hidden'],
  queue: null,
});

/** Enqueues the removal of the bot from a server that no account holds, or whose row the transaction deletes. */
export async function enqueueServerLeave(tx: Transaction, { guildId }: { guildId: string }): Promise<void> {
  await enqueue(tx, leaveServerJob, sealId(NAME, guildId), { accountId: null });
}

/**
 * Removes the bot from a server, unless somebody has connected it again. Until Discord has answered, nobody can connect
 * it. Returns when to run again if another process is connecting or leaving it. Throws errors that are worth a retry:
 * all except that the bot is not there.
 */
export async function leaveServer(
  server: z.infer<typeof leaveServerJob.payload>,
): Promise<{ done: true } | { retryInMs: number }> {
  const guildId = openId(NAME, server);
  try {
    await leave(guildId);
    return { done: true };
  } catch (error) {
    if (error instanceof StillUnderWay) return { retryInMs: LOOK_AGAIN_MS };
    throw error;
  }
}

function leave(guildId: string): Promise<void> {
  return whileServerClaimed({
    guildId,
    waitMs: 0,
    pauseMsAfter: (error) => (isUnanswered(error) ? LATE_ANSWER_MS : 0),
    run: async ({ left }) => {
      if (await db().discordServer.findUnique({ where: { guildId } })) return;
      await leaveGuild(guildId, left).catch((error) => {
        if (!isBotGone(error)) throw error;
      });
    },
  });
}

const isUnanswered = (error: unknown) => error instanceof DiscordError && UNANSWERED.includes(error.status);
