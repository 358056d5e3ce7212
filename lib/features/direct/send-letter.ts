import { isKeyKnown } from '@/lib/crypto';
import { Prisma, runStatement } from '@/lib/db/database';
import { isMember } from '@/lib/integrations/discord/discord-members';
import { editMessage, type MessageBody } from '@/lib/integrations/discord/discord-messages';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { CallTooLate } from '@/lib/integrations/http-call';
import { log } from '@/lib/log';
import { metrics } from '@/lib/metrics';
import { whileLeased } from '@/lib/queue/while-leased';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { whyStopped } from '../billing/posting-permission';
import { followUpLimit } from '../calls/call-limits';
import {
  describeRefusal,
  isChannelHidden,
  isConversationGone,
  isInboxClosed,
  isMessageGone,
  NOT_IN_SERVER,
  type RefusalCode,
  refusalCode,
} from '../calls/discord-refusal';
import { nextMorning } from '../letters/digest-time';
import { closeInbox, noteMember } from '../letters/notify-setting';
import { type LetterState, readLetterState, takeBack } from '../letters/waiting-letter';
import { LETTERS_WITHIN_MINUTES } from '../letters/waiting-letter-sql';
import { forgetPosted } from '../messages/change-ended';
import { readMessage } from '../messages/sealed-body';
import { CONFIRMED_COUNT, confirmSentSql } from '../outbox/confirm-sql';
import { type EndCode, endMessages } from '../outbox/end-messages';
import { reserveNotification } from '../outbox/reserve-notification';
import { decideRetry, judgeInternalError, judgeUnknownKey, putOff } from '../outbox/retry-policy';
import { type Conversation, findChannel, forgetChannel, holdsSql } from './conversation';
import type { WaitingDirect } from './direct-message';
import { noteLimit, type PostedDirect, postDirect } from './post-direct';

const LEFT_SERVER = 'The person left the server.';
const STOPPED = 'The person wants no direct messages any more.';

/** A letter that is being sent. */
interface Sending {
  conversation: Conversation;
  message: WaitingDirect;
  state: LetterState & { linkId: string };
}

/**
 * Posts a rule's letter to a person, edits the message that they already have about the page, or drops the letter:
 * they must still want it, be in the server, and be within the plan. Returns in how many milliseconds the
 * conversation may go on.
 */
export async function sendLetter(conversation: Conversation, message: WaitingDirect): Promise<number> {
  const state = await readLetterState(message);
  const holds = holdsSql(conversation);
  if (!state) return SECOND_MS;
  const { linkId } = state;
  const own = { conversation, message };
  const back = whyNot(state);
  if (back && (await takeBack(message, back, holds))) return 0;
  if (linkId === null || state.notify === 'off') return end(own, 'failed', STOPPED, 'refused');
  if (state.inboxProblem) return end(own, 'failed', state.inboxProblem, 'forbidden');
  const sending = { ...own, state: { ...state, linkId } };
  try {
    if (!state.isMember && !(await seeMember(sending))) return 0;
    return await send(sending);
  } catch (error) {
    // The next run looks whether the letter was posted.
    if (error instanceof CallTooLate) return 0;
    if (!(error instanceof DiscordError)) return afterInternalError(sending, error);
    return afterRefusal(sending, error);
  }
}

/** Why a letter is not sent on its own; null when it is. */
function whyNot({ isDigest, isOff, linkId, notify, inboxProblem, ...state }: LetterState) {
  const { isSummary, isOutdated, isTooMuch, clock, now } = state;
  if (isDigest) return null;
  if (isOff) return { outcome: 'rule_off' as const };
  if (linkId === null || notify === 'off') return { outcome: 'not_asked_for' as const };
  if (inboxProblem) return { outcome: 'inbox_closed' as const };
  if (isOutdated) return { outcome: 'merged' as const };
  const gathered = 'gathered' as const;
  if (notify === 'digest' && !isSummary) {
    return { outcome: gathered, tellAt: nextMorning(clock, now) };
  }
  return isTooMuch
    ? { outcome: gathered, tellAt: new Date(now.getTime() + LETTERS_WITHIN_MINUTES * MINUTE_MS) }
    : null;
}

/** Whether the person is still in the server. Nobody who has left it is written to again. */
async function seeMember(sending: Sending): Promise<boolean> {
  const { conversation, state } = sending;
  const { accountId, discordUserId } = conversation;
  try {
    if (state.guildId !== null && (await isMember(accountId, state.guildId, discordUserId))) {
      await noteMember(state.linkId);
      return true;
    }
  } catch (error) {
    if (!(error instanceof DiscordError) || !isChannelHidden(error)) throw error;
    await end(sending, 'failed', NOT_IN_SERVER, 'forbidden');
    return false;
  }
  await closeInbox(state.linkId, LEFT_SERVER);
  await end(sending, 'failed', LEFT_SERVER, 'not_found');
  return false;
}

async function send(sending: Sending): Promise<number> {
  const { conversation, message, state } = sending;
  if (!isKeyKnown(message.sealedBody)) {
    const { retryInMs, ...why } = judgeUnknownKey(message, conversation.databaseTime);
    if (retryInMs === null) return end(sending, 'failed', why.reason, 'key_gone');
    return putOff(message, { ...why, longestMs: retryInMs }, holdsSql(conversation));
  }
  const body = readMessage(message);
  if (!body) return end(sending, 'failed', 'The message could not be read any more.', 'unreadable');
  const channelId = await findChannel(conversation);
  if (typeof channelId !== 'string') return channelId.waitMs;
  const talk = { ...conversation, channelId };
  if (state.cardId !== null) {
    const stopped = whyStopped(state.account, new Date());
    if (stopped) return end(sending, 'held', stopped.reason, stopped.code);
    await edit(talk, state.cardId, body);
    return confirm(conversation, message, { discordMessageId: state.cardId, exhaustedForMs: 0 }, null);
  }
  const reservation = await reserveNotification(state.account, message);
  // The letter is gone, or another worker has just reserved it. If it still waits, looking again at once would not
  // help.
  if (!reservation) return SECOND_MS;
  if ('stopped' in reservation)
    return end(sending, 'held', reservation.stopped.reason, reservation.stopped.code);
  const posted = await postDirect(talk, message, body);
  if (!posted) return SECOND_MS;
  return confirm(conversation, message, posted, reservation.periodStart);
}

async function edit(
  { accountId, channelId, leaseLeft }: Conversation & { channelId: string },
  messageId: string,
  body: MessageBody,
): Promise<void> {
  const { exhaustedForMs } = await editMessage({ channelId, messageId }, body, { accountId }, leaseLeft);
  await noteLimit(followUpLimit(channelId), exhaustedForMs);
}

/** Marks a letter as sent and counts it, once. An edit does not count as a notification. */
async function confirm(
  conversation: Conversation,
  { id, at }: WaitingDirect,
  { discordMessageId, exhaustedForMs }: PostedDirect,
  periodStart: Date | null,
): Promise<number> {
  const sent = { id, at, accountId: conversation.accountId, discordMessageId, periodStart };
  const [row] = await whileLeased(conversation, () =>
    runStatement<{ confirmed: number }>(
      Prisma.sql`with ${confirmSentSql([sent])} select ${CONFIRMED_COUNT} as confirmed`,
    ),
  );
  if (row?.confirmed) metrics.deliveries.inc({ state: 'sent', reason: '' });
  return exhaustedForMs;
}

/** Ends a letter, unless another worker has taken over the conversation. */
async function end(
  { conversation, message: { id: messageId, triedAt } }: Pick<Sending, 'conversation' | 'message'>,
  state: 'failed' | 'held',
  reason: string,
  code: EndCode,
): Promise<number> {
  const answeredSince = triedAt ? undefined : new Date(0);
  await endMessages({ messageId, answeredSince, holds: holdsSql(conversation) }, state, reason, code);
  return 0;
}

async function afterInternalError(sending: Sending, err: unknown): Promise<number> {
  const { conversation, message } = sending;
  log.error({ err, messageId: message.id }, 'message not sent');
  const { retryInMs, ...why } = judgeInternalError(message, conversation.databaseTime);
  if (retryInMs === null) return end(sending, 'failed', why.reason, 'internal_error');
  return putOff(message, { ...why, longestMs: retryInMs }, holdsSql(conversation));
}

async function afterRefusal({ conversation, message, state }: Sending, error: DiscordError): Promise<number> {
  const { databaseTime, claimedAt } = conversation;
  const retry = decideRetry(message, error, databaseTime);
  if ('limitedForMs' in retry) return retry.limitedForMs;
  if (conversation.channelId && isConversationGone(error)) {
    await forgetChannel(conversation);
    return 0;
  }
  if (state.cardId !== null && isMessageGone(error)) {
    // The next run has no card to edit, and posts a new one.
    await forgetPosted(state.cardId, { accountId: conversation.accountId });
    return 0;
  }
  log.info({ code: error.code, messageId: message.id }, 'letter not taken');
  if (isInboxClosed(error)) await closeInbox(state.linkId, describeRefusal(error));
  const { retryInMs, ...why } = retry;
  if (retryInMs !== null) return putOff(message, { ...why, longestMs: retryInMs }, holdsSql(conversation));
  const answeredSince = error.isTransient ? undefined : claimedAt;
  const code: RefusalCode = refusalCode(error);
  const ending = { messageId: message.id, answeredSince, holds: holdsSql(conversation) };
  await endMessages(ending, 'failed', why.reason, code);
  return 0;
}
