import { db, type Prisma, runStatement } from '@/lib/db/database';
import type { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { metrics } from '@/lib/metrics';
import type { DatabaseTime } from '@/lib/queue/database-clock';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/time';
import { channelLimit, followUpLimit, WHOLE_BOT } from '../calls/call-limits';
import {
  describeRefusal,
  FORBIDDEN,
  isChannelGone,
  isChannelHidden,
  isMessageGone,
  type RefusalCode,
  refusalCode,
  stopsChannel,
  THREAD_DELETED,
  TOO_MANY,
  UNAUTHORIZED,
} from '../calls/discord-refusal';
import { noteRefusal, refusedChannel } from '../calls/route-refusals';
import { forgetPosted } from '../messages/change-ended';
import { type MessageKey, putOffSql } from '../messages/change-waiting';
import { invalidateReading, lastSeenChannels } from '../servers/read-guild';
import { channelOf, stopChannel } from './channel-problem';
import { type ChannelTurn, type GrantedMessage, holdsTurnSql, type WaitingMessage } from './claim-channels';
import { endMessages } from './end-messages';
import { seeTimeout } from './refresh-server';
import type { Reservation } from './reserve-notification';
import type { TurnResults } from './turn-results';

/** A message on its way, with what its turn knows. */
export interface Attempt extends GrantedMessage {
  turn: ChannelTurn;
  results: TurnResults;
  reservation: Reservation;
}

/** Why a message was not sent, in words and as one word for the metrics. */
interface NotSent {
  reason: string;
  code: RefusalCode | 'key_missing';
}

/** Why a message was not sent, and when it is tried again; `retryInMs` is null when it is given up. */
export interface RetryDecision extends NotSent {
  retryInMs: number | null;
}

type Tried = Pick<WaitingMessage, 'attempts' | 'postponedAt'>;

const GIVE_UP_AFTER_MS = DAY_MS;
const MAX_WAIT_MS = 5 * MINUTE_MS;

// While processes are given a new key one after the other, one that has it will take the message soon.
const MAX_KEY_WAIT_MS = 30 * SECOND_MS;
const KEY_IS_COMING =
  'Pagewire is changing its encryption keys. The card is sent as soon as a process that has its key finds it.';
const KEY_IS_GONE = 'No process of Pagewire had the key that the card is sealed with for a day.';

// A wrong token refuses every message; asking more often would get the address banned.
const WRONG_TOKEN_WAIT_MS = MINUTE_MS;

/**
 * What becomes of a message to a channel or a person that Discord refused. For a rate limit, only how long it lasts,
 * because that refusal does not count as an attempt.
 */
export function decideRetry(
  message: Tried,
  error: DiscordError,
  now: DatabaseTime,
): RetryDecision | { limitedForMs: number } {
  if (error.status === TOO_MANY) return { limitedForMs: error.retryAfterMs ?? SECOND_MS };
  const isFinal = isOver(message, now) || !(error.isTransient || error.status === UNAUTHORIZED);
  return { ...notSent(error), retryInMs: isFinal ? null : backoffMs(message.attempts, error) };
}

/** What becomes of a message whose key this process lacks: it waits a day for one that has it, then fails. */
export function judgeUnknownKey(message: Tried, now: DatabaseTime): RetryDecision {
  const code = 'key_missing';
  if (isOver(message, now)) return { reason: KEY_IS_GONE, code, retryInMs: null };
  const retryInMs = Math.min(MAX_KEY_WAIT_MS, SECOND_MS * 2 ** message.attempts);
  return { reason: KEY_IS_COMING, code, retryInMs };
}

const notSent = (error: DiscordError): NotSent => ({
  reason: describeRefusal(error),
  code: refusalCode(error),
});

// Not since its first attempt: it may have failed before and be sent again, or have waited in between.
const isOver = ({ postponedAt }: Tried, now: DatabaseTime) =>
  postponedAt !== null && postponedAt < now(-GIVE_UP_AFTER_MS);

function backoffMs(attempts: number, { status }: DiscordError): number {
  if (status === UNAUTHORIZED) return WRONG_TOKEN_WAIT_MS;
  return Math.min(MAX_WAIT_MS, SECOND_MS * 2 ** attempts);
}

/**
 * Leaves a message waiting for half of `longestMs` to all of it. Returns how long. Changes nothing unless `holds`, a
 * condition, says that the message is still this process's to send.
 */
export async function putOff(
  message: MessageKey,
  { reason, code, longestMs }: NotSent & { longestMs: number },
  holds: Prisma.Sql,
): Promise<number> {
  // Random, so that messages that failed together are not tried again together.
  const waitMs = longestMs * (0.5 + Math.random() / 2);
  await runStatement(putOffSql(message, { reason, waitMs }, holds));
  metrics.deliveries.inc({ state: 'postponed', reason: code });
  return waitMs;
}

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
  const answeredSince = error.isTransient ? undefined : turn.claimedAt;
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

/** What Discord limits a message's call with. */
export const limitOf = (attempt: Attempt) =>
  (isFollowUp(attempt) ? followUpLimit : channelLimit)(attempt.turn.channelId);

/** Until when the turn waits for a limit, if at all: posts need not wait for a limit of follow-ups. */
export const afterLimit = (attempt: Attempt, until: number | null) =>
  until !== null && isFollowUp(attempt) ? performance.now() : until;

/** Whether a message edits another or starts its thread. Once a thread is known, its first line is sent there. */
const isFollowUp = ({ turn, message: { kind, card } }: Attempt) =>
  kind === 'edit' || (kind === 'thread_start' && card?.threadId !== turn.channelId);

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

/** Until when a turn has to wait if Discord refused its call because the bot is timed out; null if that is not why. */
export async function untilTimeoutEnds(
  { turn: { account, databaseTime }, results }: Attempt,
  { status }: DiscordError,
): Promise<number | null> {
  if (status !== FORBIDDEN) return null;
  await results.flush();
  await invalidateReading(account.id);
  const until = await seeTimeout(account.id);
  return until && performance.now() + until.getTime() - databaseTime().getTime();
}

async function wasThread({ account, channelId }: ChannelTurn): Promise<boolean> {
  const server = await db().discordServer.findFirst({ where: { accountId: account.id } });
  return lastSeenChannels(server ?? { channels: [] }).some(
    ({ id, kind }) => id === channelId && kind === 'thread',
  );
}

/** Leaves a message, and those behind it, to a process that has its key. After a day without one it fails. */
export async function waitForKey(turn: ChannelTurn, message: WaitingMessage): Promise<number> {
  const { id: messageId } = message;
  const { retryInMs, ...why } = judgeUnknownKey(message, turn.databaseTime);
  if (retryInMs === null) {
    await endMessages(
      { messageId, answeredSince: turn.claimedAt, holds: holdsTurnSql(turn) },
      'failed',
      why.reason,
      'key_gone',
    );
    return 0;
  }
  log.warn({ messageId, channelId: turn.channelId }, 'message waits for a key');
  return postpone(turn, message, why, retryInMs);
}

/** Leaves a message waiting for its next attempt; the ones behind it wait with it. */
export async function retryLater(
  turn: ChannelTurn,
  message: WaitingMessage,
  error: DiscordError,
): Promise<number> {
  return postpone(turn, message, notSent(error), backoffMs(message.attempts, error));
}

async function postpone(
  turn: ChannelTurn,
  message: WaitingMessage,
  why: NotSent,
  longestMs: number,
): Promise<number> {
  return performance.now() + (await putOff(message, { ...why, longestMs }, holdsTurnSql(turn)));
}
