import { z } from 'zod';
import { db, type Transaction } from '@/lib/db/database';
import { aboutGuild } from '@/lib/integrations/discord/discord-guild';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { hashedId } from '@/lib/queue/hashed-id';
import { isRecent, MINUTE_MS } from '@/lib/time';
import { isServerUnknown } from '../calls/discord-refusal';
import { type ChannelTurn, holdsTurnSql, type WaitingMessage } from '../outbox/claim-channels';
import { type EndCode, endMessages } from '../outbox/end-messages';
import { decideRetry, retryLater } from '../outbox/retry-policy';
import { findServerOf } from '../servers/queries';
import { channelOf } from './attempt';
import { refreshServer } from './refresh-server';

// Minimum time between two checks of a refused channel; checking more often would only repeat the refusal.
const RECHECK_AFTER_MS = MINUTE_MS;

/** Warns the account whose rules post in a channel that Discord refuses. */
export const warnChannelJob = defineJob({
  name: 'warn-channel',
  payload: z.object({ channelId: z.string() }),
  key: ({ channelId }) => `warn-channel:${hashedId(channelId)}`,
});

/**
 * A refusal as it is to be understood: one for a server that Discord does not know is a failure that passes, unless its
 * list of the bot's servers agrees.
 */
export async function confirmRefusal(
  { account }: Pick<ChannelTurn, 'account'>,
  error: DiscordError,
): Promise<DiscordError> {
  if (!isServerUnknown(error)) return error;
  const server = await db().discordServer.findFirst({ where: { accountId: account.id } });
  if (!server) return error;
  return aboutGuild(server.guildId, Promise.reject(error)).catch((confirmed) => {
    if (confirmed instanceof DiscordError) return confirmed;
    throw confirmed;
  });
}

/**
 * Whether the channel that a turn's messages are in may be used, perhaps again. If Discord refuses it, those that wait
 * have failed with the known reason. Throws DiscordError while Discord cannot be asked.
 */
export async function recheckChannel(turn: ChannelTurn, channelId: string): Promise<boolean> {
  const problem = await db().channelProblem.findUnique({ where: { channelId } });
  if (!problem) return true;
  const server = await findServerOf(channelId, turn.account.id);
  if (server && !isRecent(problem.since, RECHECK_AFTER_MS)) {
    await refreshServer(server);
    const { count } = await db().channelProblem.updateMany({
      where: { channelId },
      data: { since: new Date() },
    });
    if (count === 0) return true;
  }
  await failWaiting(turn, problem.reason);
  return false;
}

/**
 * What becomes of a refused channel's messages when Discord did not show its server: they wait, or fail until it is
 * checked again. Returns when the channel may go on.
 */
export async function afterFailedCheck(
  turn: ChannelTurn,
  message: WaitingMessage,
  error: unknown,
): Promise<number> {
  if (!(error instanceof DiscordError)) throw error;
  const retry = decideRetry(message, error, turn.databaseTime);
  if ('limitedForMs' in retry || retry.retryInMs !== null) return retryLater(turn, message, error);
  await db().channelProblem.updateMany({
    where: { channelId: channelOf(turn, message) },
    data: { since: new Date() },
  });
  await failWaiting(turn, retry.reason);
  return 0;
}

const failWaiting = (turn: ChannelTurn, reason: string) =>
  endMessages({ channelId: turn.channelId, holds: holdsTurnSql(turn) }, 'failed', reason, 'channel_stopped');

/**
 * Stops a channel that Discord refuses, and fails everything that waits for the turn, which is the channel's or that of
 * a thread in it: Discord bans an address that keeps repeating refused calls. `messageId` is the message that was tried
 * in this turn.
 */
export async function stopChannel(
  turn: ChannelTurn,
  messageId: string,
  { channelId, reason, code }: { channelId: string; reason: string; code: EndCode },
): Promise<void> {
  const { channelId: targetId, claimedAt: answeredSince } = turn;
  const also = async (tx: Transaction) => {
    await tx.channelProblem.upsert({
      where: { channelId },
      create: { channelId, reason },
      update: { reason, since: new Date() },
    });
    await enqueue(tx, warnChannelJob, { channelId }, { accountId: turn.account.id });
  };
  log.warn({ channelId, reason }, 'channel stopped');
  await endMessages(
    { messageId, channelId: targetId, answeredSince, holds: holdsTurnSql(turn), also },
    'failed',
    reason,
    code,
  );
}
