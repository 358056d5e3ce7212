import { db } from '@/lib/db/database';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { onOwnClock } from '@/lib/queue/database-clock';
import { SECOND_MS } from '@/lib/time';
import { WHOLE_BOT } from '../calls/call-limits';
import {
  describeRefusal,
  FORBIDDEN,
  isChannelGone,
  isChannelHidden,
  isMessageGone,
  refusalCode,
  stopsChannel,
  THREAD_DELETED,
  UNAUTHORIZED,
} from '../calls/discord-refusal';
import { noteRefusal, refusedChannel } from '../calls/route-refusals';
import { forgetPosted } from '../messages/change-ended';
import { type ChannelTurn, holdsTurnSql } from '../outbox/claim-channels';
import { endMessages } from '../outbox/end-messages';
import { decideRetry, postpone, retryLater, WRONG_TOKEN_WAIT_MS } from '../outbox/retry-policy';
import { invalidateReading, lastSeenChannels } from '../servers/read-guild';
import { type Attempt, afterLimit, channelOf, doubtfulBefore, limitOf } from './attempt';
import { stopChannel } from './channel-problem';
import { seeTimeout } from './refresh-server';

// How far Discord's clock may be behind.
const DISCORD_BEHIND_MS = 5 * SECOND_MS;

/**
 * What becomes of a message that Discord refused: it waits for a limit to end or for another attempt, fails for good,
 * or its whole channel stops. Returns until when the channel has to wait; null when it may go on at once.
 */
export async function afterRefusal(attempt: Attempt, error: DiscordError): Promise<number | null> {
  const { turn, results, message } = attempt;
  const retry = decideRetry(message, error, turn.databaseTime);
  if ('limitedForMs' in retry) {
    if (error.isGlobalLimit) return results.block(WHOLE_BOT, retry.limitedForMs);
    return afterLimit(attempt, await noteLimit(attempt, error, retry.limitedForMs));
  }
  const stopped = findStopped(attempt, error);
  if (stopped) return afterStop(attempt, error, stopped);
  if (message.kind === 'edit' && isMessageGone(error)) {
    await forgetPosted(message.discordMessageId, { accountId: turn.account.id });
  }
  // Only the operator can fix a wrong bot token; until then everything waits.
  if (error.status === UNAUTHORIZED) results.block(WHOLE_BOT, WRONG_TOKEN_WAIT_MS);
  if (error.isGlobalLimit) results.block(WHOLE_BOT, error.retryAfterMs ?? SECOND_MS);
  const { retryInMs, ...why } = retry;
  if (retryInMs !== null) return postpone(turn, message, why, retryInMs);
  // Discord may have posted the message although it did not answer, or answered with an error of its own.
  const answeredSince = doubtfulBefore(attempt, { mayHave: error.isTransient });
  await endMessages(
    { messageId: message.id, answeredSince, holds: holdsTurnSql(turn) },
    'failed',
    why.reason,
    refusalCode(error),
  );
  return null;
}

/**
 * The channel that takes no messages any more according to a refusal; null when it takes others. The refusal of an edit
 * is about the edited message, which stays as it is, unless the channel of a living card is not there at all.
 */
function findStopped({ turn, message }: Attempt, error: DiscordError): string | null {
  const { kind, card } = message;
  if (isChannelHidden(error)) return kind !== 'edit' || card ? channelOf(turn, message) : null;
  const stops =
    kind === 'edit' ? isChannelGone(error) && card?.channelId === turn.channelId : stopsChannel(error);
  return stops ? turn.channelId : null;
}

/** Returns until when no call like the refused one may be made. */
async function noteLimit(attempt: Attempt, error: DiscordError, forMs: number): Promise<number> {
  const { results } = attempt;
  const key = limitOf(attempt);
  if (error.isSharedLimit) return results.block(key, forMs);
  // Records successes first, which end the row of earlier refusals.
  await results.flush();
  return performance.now() + (await noteRefusal(key, error, forMs));
}

async function afterStop(attempt: Attempt, error: DiscordError, channelId: string): Promise<number> {
  const { turn, results, message } = attempt;
  const timedOutUntil = await untilTimeoutEnds(attempt, error);
  if (timedOutUntil !== null) return timedOutUntil;
  if (error.status === FORBIDDEN) await noteRefusal(refusedChannel(channelId), error, 0);
  else await invalidateReading(turn.account.id);
  await results.flush();
  const isThread = isChannelGone(error) && (await wasThread(turn));
  const reason = isThread ? THREAD_DELETED : describeRefusal(error);
  await stopChannel(turn, message.id, { channelId, reason, code: refusalCode(error) });
  return 0;
}

/**
 * Until when a turn has to wait if Discord refused its call because the bot was timed out; null if that is not why. The
 * timeout may have ended since the call. While Discord does not say whether there is one, the message waits.
 */
export async function untilTimeoutEnds(
  { turn, results, message }: Attempt,
  refusal: DiscordError,
): Promise<number | null> {
  const { account, claimedAt, databaseTime } = turn;
  if (refusal.status !== FORBIDDEN) return null;
  await results.flush();
  await invalidateReading(account.id);
  try {
    const until = await seeTimeout(account.id, new Date(claimedAt.getTime() - DISCORD_BEHIND_MS));
    return until && Math.max(onOwnClock(until, databaseTime), performance.now() + SECOND_MS);
  } catch (err) {
    if (!(err instanceof DiscordError)) throw err;
    log.warn({ err, channelId: turn.channelId }, 'server not read');
    const retry = decideRetry(message, err, databaseTime);
    const mayPass = 'limitedForMs' in retry || retry.retryInMs !== null;
    return mayPass ? retryLater(turn, message, refusal) : null;
  }
}

async function wasThread({ account, channelId }: ChannelTurn): Promise<boolean> {
  const server = await db().discordServer.findFirst({ where: { accountId: account.id } });
  return lastSeenChannels(server ?? { channels: [] }).some(
    ({ id, kind }) => id === channelId && kind === 'thread',
  );
}
