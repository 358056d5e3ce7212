import { type Prisma, runStatement } from '@/lib/db/database';
import type { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { metrics } from '@/lib/metrics';
import type { DatabaseTime } from '@/lib/queue/database-clock';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/time';
import {
  describeRefusal,
  type RefusalCode,
  refusalCode,
  TOO_MANY,
  UNAUTHORIZED,
} from '../calls/discord-refusal';
import { type MessageKey, putOffSql } from '../messages/change-waiting';
import { type ChannelTurn, holdsTurnSql, type WaitingMessage } from './claim-channels';
import { endMessages } from './end-messages';

/** Why a message was not sent, in words and as one word for the metrics. */
interface NotSent {
  reason: string;
  code: RefusalCode | 'key_missing' | 'internal_error';
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
const KEY_IS_GONE = 'For a day no process of Pagewire had the key with which the card is encrypted.';

/** A wrong token refuses every message; asking more often would get the address banned. */
export const WRONG_TOKEN_WAIT_MS = MINUTE_MS;

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

/** What becomes of a message that could not be sent because of an error in Pagewire: it is tried again for a day. */
export function judgeInternalError(message: Tried, now: DatabaseTime): RetryDecision {
  const retryInMs = isOver(message, now) ? null : growingWaitMs(message.attempts);
  return { reason: 'Pagewire had a problem of its own.', code: 'internal_error', retryInMs };
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
  return growingWaitMs(attempts);
}

const growingWaitMs = (attempts: number) => Math.min(MAX_WAIT_MS, SECOND_MS * 2 ** attempts);

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
 * Leaves a message, and those behind it, to a process that has its key. After a day without one it fails. Returns until
 * when the channel has to wait.
 */
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

/** Leaves a message waiting for its next attempt; the ones behind it wait with it. Returns until when. */
export async function retryLater(
  turn: ChannelTurn,
  message: WaitingMessage,
  error: DiscordError,
): Promise<number> {
  return postpone(turn, message, notSent(error), backoffMs(message.attempts, error));
}

/** Leaves a message waiting as decided. Returns until when, by this process's monotonic clock. */
export async function postpone(
  turn: ChannelTurn,
  message: WaitingMessage,
  why: NotSent,
  longestMs: number,
): Promise<number> {
  return performance.now() + (await putOff(message, { ...why, longestMs }, holdsTurnSql(turn)));
}
