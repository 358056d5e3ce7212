import { log } from '@/lib/log';
import { holdsTurnSql } from '../outbox/claim-channels';
import { endMessages } from '../outbox/end-messages';
import { judgeInternalError, postpone } from '../outbox/retry-policy';
import { type Attempt, doubtfulBefore } from './attempt';

/**
 * What becomes of a message that could not be sent because of an error in Pagewire. While the database is away the turn
 * fails instead, which counts as no attempt.
 */
export async function afterInternalError(attempt: Attempt, err: unknown): Promise<number> {
  const { turn, results, message } = attempt;
  log.error({ err, channelId: turn.channelId, messageId: message.id }, 'message not sent');
  await results.flush();
  const { retryInMs, ...why } = judgeInternalError(message, turn.databaseTime);
  if (retryInMs !== null) return postpone(turn, message, why, retryInMs);
  const answeredSince = doubtfulBefore(attempt, { mayHave: true });
  const ending = { messageId: message.id, answeredSince, holds: holdsTurnSql(turn) };
  await endMessages(ending, 'failed', why.reason, 'internal_error');
  return 0;
}
