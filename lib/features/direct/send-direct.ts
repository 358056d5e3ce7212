import type { z } from 'zod';
import { isKeyKnown } from '@/lib/crypto';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { CallTooLate } from '@/lib/integrations/http-call';
import { log } from '@/lib/log';
import { isConversationGone } from '../calls/discord-refusal';
import { readMessage } from '../messages/sealed-body';
import { dropOrphans } from '../outbox/end-messages';
import {
  decideRetry,
  judgeInternalError,
  judgeUnknownKey,
  putOff,
  type RetryDecision,
} from '../outbox/retry-policy';
import {
  type Conversation,
  findChannel,
  forgetChannel,
  holdsSql,
  leaseConversation,
  releaseConversation,
} from './conversation';
import { type AfterDirect, dropDirect, endDirect, firstWaiting, type WaitingDirect } from './direct-message';
import { postDirect } from './post-direct';
import type { sendDirectJob } from './queue-direct';
import { sendLetter } from './send-letter';

/** When to go on after the first message was dealt with; undefined when no message waits. */
type Progress = { goOnInMs: number } | undefined;

/**
 * Sends what waits for a person, in order, each message once, and runs `after` for each that was sent or given up. Its
 * calls use the share of Discord's limit that cards leave to everything else. Returns when to run again.
 */
export async function sendDirect(
  { conversationId }: z.infer<typeof sendDirectJob.payload>,
  after: AfterDirect[],
): Promise<{ done: true } | { retryInMs: number }> {
  const conversation = await leaseConversation(conversationId);
  if (!conversation) return { done: true };
  if ('busyForMs' in conversation) return { retryInMs: conversation.busyForMs };
  try {
    const progress = await sendFirst(conversation, after);
    return progress ? { retryInMs: progress.goOnInMs } : { done: true };
  } finally {
    await releaseConversation(conversation);
  }
}

async function sendFirst(conversation: Conversation, after: AfterDirect[]): Promise<Progress> {
  const message = await firstWaiting(conversation);
  if (!message) return;
  if (!message.isWanted) {
    if (message.sourceId === null) await dropOrphans([message]);
    else await dropDirect(message, conversation);
    return { goOnInMs: 0 };
  }
  if (message.waitMs > 0) return { goOnInMs: message.waitMs };
  if (message.kind === 'letter') return { goOnInMs: await sendLetter(conversation, message) };
  return { goOnInMs: await send(conversation, message, after) };
}

/** Sends a message or gives it up. Returns in how many milliseconds its conversation may go on. */
async function send(
  conversation: Conversation,
  message: WaitingDirect,
  after: AfterDirect[],
): Promise<number> {
  const { claimedAt } = conversation;
  const fail = async (reason: string, answeredSince: Date | undefined) => {
    await endDirect(message, conversation, { reason, answeredSince }, after);
    return 0;
  };
  const putOffOrFail = async ({ retryInMs, ...why }: RetryDecision, answeredSince: Date | undefined) =>
    retryInMs === null
      ? fail(why.reason, answeredSince)
      : putOff(message, { ...why, longestMs: retryInMs }, holdsSql(conversation));
  if (!isKeyKnown(message.sealedBody)) {
    return putOffOrFail(judgeUnknownKey(message, conversation.databaseTime), claimedAt);
  }
  const body = readMessage(message);
  if (!body) {
    return fail('The message could not be read any more.', claimedAt);
  }
  try {
    const channelId = await findChannel(conversation);
    if (typeof channelId !== 'string') return channelId.waitMs;
    const posted = await postDirect({ ...conversation, channelId }, message, body);
    if (!posted) return 0;
    await endDirect(message, conversation, posted, after);
    return posted.exhaustedForMs;
  } catch (error) {
    // The next run looks whether the message was posted.
    if (error instanceof CallTooLate) return 0;
    if (!(error instanceof DiscordError)) {
      log.error({ err: error, messageId: message.id }, 'message not sent');
      return putOffOrFail(judgeInternalError(message, conversation.databaseTime), undefined);
    }
    const retry = decideRetry(message, error, conversation.databaseTime);
    if ('limitedForMs' in retry) return retry.limitedForMs;
    if (conversation.channelId && isConversationGone(error)) {
      await forgetChannel(conversation);
      return 0;
    }
    log.info({ code: error.code, messageId: message.id }, 'direct message not taken');
    return putOffOrFail(retry, error.isTransient ? undefined : claimedAt);
  }
}
