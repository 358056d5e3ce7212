import { z } from 'zod';
import { db, type Transaction } from '@/lib/db/database';
import { aboutGuild } from '@/lib/integrations/discord/discord-guild';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { hashedId } from '@/lib/queue/hashed-id';
import { MINUTE_MS } from '@/lib/time';
import { isFirstIn } from '../calls/call-limits';
import { isServerUnknown } from '../calls/discord-refusal';
import { findServerOf } from '../servers/queries';
import { invalidateReading, type ServerToRead } from '../servers/read-guild';
import { findTimeout } from './bot-timeout';
import { type ChannelTurn, holdsTurnSql, type WaitingMessage } from './claim-channels';
import { type EndCode, endMessages } from './end-messages';
import { readServerAndTimeouts, refreshServer } from './refresh-server';

// Minimum time between two checks of a refused channel; checking more often would only repeat the refusal.
const RECHECK_AFTER_MS = MINUTE_MS;

// Minimum time between two readings for a channel that loses embeds although the bot may show them.
const REREAD_AFTER_MS = MINUTE_MS;

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

/** The channel that a turn's message is in: for one in the thread of a card, or in its post, the channel of the card. */
export const channelOf = ({ channelId }: ChannelTurn, { card }: Pick<WaitingMessage, 'card'>): string =>
  card?.threadId === channelId ? card.channelId : channelId;

/**
 * Whether the channel that a turn's messages are in may be used, perhaps again. If Discord refuses it, those that wait
 * have failed with the known reason. Throws DiscordError while Discord cannot be asked.
 */
export async function recheckChannel(turn: ChannelTurn, channelId: string): Promise<boolean> {
  const problem = await db().channelProblem.findUnique({ where: { channelId } });
  if (!problem) return true;
  const server = await findServerOf(channelId, turn.account.id);
  if (server && Date.now() - problem.since.getTime() > RECHECK_AFTER_MS) {
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
 * Why the messages of a channel lose their embeds: what the bot lacks there, in words, or until when it is timed out, by
 * this process's monotonic clock. Null for neither, or when Discord does not show the server.
 */
export async function whyWithoutEmbeds(
  turn: ChannelTurn,
  channelId: string,
): Promise<{ denied: string } | { until: number } | null> {
  const { account, databaseTime } = turn;
  const denied = await findDenied(account.id, channelId);
  if (denied) return { denied };
  const until = await findTimeout(account.id);
  return until && { until: performance.now() + until.getTime() - databaseTime().getTime() };
}

async function findDenied(accountId: string, channelId: string): Promise<string | null> {
  const server = await findServerOf(channelId, accountId);
  if (!server) return null;
  const denied = await readDenied(server, channelId);
  // What is reused may have been read just before the permission was taken.
  if (denied || !(await isFirstIn(`discord:embeds:${channelId}`, REREAD_AFTER_MS))) return denied;
  await invalidateReading(accountId);
  return readDenied(server, channelId);
}

async function readDenied(server: ServerToRead, channelId: string): Promise<string | null> {
  const seen = await readServerAndTimeouts(server).catch((err) =>
    log.warn({ err, serverId: server.id }, 'server not read'),
  );
  return seen?.find(({ id }) => id === channelId)?.accessProblem ?? null;
}

/** Fails what waits for a refused channel whose server Discord does not show, until it is checked again. */
export async function keepRefused(turn: ChannelTurn, channelId: string, reason: string): Promise<void> {
  await db().channelProblem.updateMany({ where: { channelId }, data: { since: new Date() } });
  await failWaiting(turn, reason);
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

/**
 * Stops a channel where Discord has just shown a message without its embeds, because of what the bot lacks there. Returns
 * when the channel may go on.
 */
export async function stopWithoutEmbeds(
  turn: ChannelTurn,
  message: WaitingMessage,
  denied: string,
): Promise<number> {
  const reason = `Discord shows the message without its card: ${denied}.`;
  await stopChannel(turn, message.id, { channelId: channelOf(turn, message), reason, code: 'forbidden' });
  return 0;
}
