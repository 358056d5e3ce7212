import { setTimeout as sleep } from 'node:timers/promises';
import { isKeyKnown } from '@/lib/crypto';
import type { MessageKind } from '@/lib/db/generated/client';
import {
  editMessage,
  type SentMessage,
  sendMessage,
  withoutReference,
} from '@/lib/integrations/discord/discord-messages';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { wakeThread } from '@/lib/integrations/discord/discord-threads';
import { CallTooLate } from '@/lib/integrations/http-call';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { whyStopped } from '../billing/posting-permission';
import { whyCannotPost } from '../billing/quota';
import { isMessageGone, isReplyRefused, isThreadClosed } from '../calls/discord-refusal';
import { openPost, type PostedIn, syncPost } from '../forums/open-post';
import type { PostBody } from '../forums/post-shape';
import { noteTried } from '../messages/change-waiting';
import { nonceOf, readMessage } from '../messages/sealed-body';
import { editsReply } from '../posted/echo-reply';
import { explainTimeout } from './bot-timeout';
import {
  channelOf,
  confirmRefusal,
  keepRefused,
  recheckChannel,
  stopWithoutEmbeds,
  whyWithoutEmbeds,
} from './channel-problem';
import { type ChannelTurn, holdsTurnSql, type WaitingMessage } from './claim-channels';
import { dropPaused } from './drop-paused';
import { dropOrphans, endMessages } from './end-messages';
import { aboutPost, isPosted, leftToSay } from './find-posted';
import { holdChannel, prepareNotice } from './held-notice';
import { type Reservation, reserveNotification } from './reserve-notification';
import {
  type Attempt,
  afterLimit,
  afterRefusal,
  decideRetry,
  limitOf,
  retryLater,
  waitForKey,
} from './retry-policy';
import { afterLivingRefusal, findEdited, isAboutCard, prepareLiving } from './send-living';
import type { TurnResults } from './turn-results';

// A turn begins no further message after this, so that it ends within its lease.
const MAX_TURN_MS = 5 * SECOND_MS;

// Discord's ordinary limits are shorter; a longer wait is probably a timeout of the bot.
const EXPLAINED_WAIT_MS = MINUTE_MS;

const AFTER_FAILURE_MS = SECOND_MS;

/** For a message that does not count as a notification. */
const NO_RESERVATION_NEEDED: Reservation = { periodStart: null };
const UNCOUNTED: MessageKind[] = ['edit', 'notice'];

/**
 * Sends the messages of a channel's turn, posts and edits alike, in order. Returns when the channel may go on, by this
 * process's monotonic clock.
 */
export async function sendMessages(turn: ChannelTurn, results: TurnResults): Promise<number> {
  const startedAt = performance.now();
  if (turn.messages.length === 0) {
    if (turn.startAt - startedAt > EXPLAINED_WAIT_MS) await explainTimeout(turn.channelId, turn.account.id);
    return turn.startAt;
  }
  const orphans = turn.messages.filter(({ message }) => message.sourceId === null);
  if (orphans.length > 0) await dropOrphans(orphans.map(({ message }) => message));
  if (turn.messages.some(({ message }) => message.isPaused)) await dropPaused(turn);
  const all = turn.messages.filter(({ message }) => message.sourceId !== null && !message.isPaused);
  const unknown = all.find(({ message }) => !isKeyKnown(message.sealedBody));
  const known = unknown ? all.slice(0, all.indexOf(unknown)) : all;
  const [first] = all;
  if (!first) return 0;
  const channelId = channelOf(turn, first.message);
  if (turn.isRefused || channelId !== turn.channelId) {
    const isOpen = await recheckChannel(turn, channelId).catch((error) =>
      afterFailedCheck(turn, first.message, error),
    );
    if (isOpen !== true) return isOpen || 0;
  }
  let resumeAt = 0;
  // A message that needs a reservation is noted together with it.
  const untried = known.map(({ message }) => message).filter(({ triedAt }) => !triedAt);
  await noteTried(untried.filter((message) => message.kind === 'counter' || isReplyInThread(turn, message)));
  const reservations = await Promise.all(known.map(({ message }) => reservationFor(turn, message)));
  for (const [index, granted] of known.entries()) {
    const { message } = granted;
    let reservation = reservations[index];
    // An earlier message may have released its reservation.
    if (reservation && 'stopped' in reservation && index > 0)
      reservation = await reservationFor(turn, message);
    if (!reservation) {
      // The message is gone, or another worker has just reserved it. If it still waits, looking again at once would not
      // help.
      resumeAt = performance.now() + AFTER_FAILURE_MS;
      continue;
    }
    if (performance.now() - startedAt > MAX_TURN_MS) return 0;
    await waitUntil(Math.max(turn.startAt, granted.startAt));
    if (turn.leaseLeft() <= 0) return 0;
    const waitsUntil = await sendOne({ ...granted, turn, results, reservation });
    if (waitsUntil !== null) return waitsUntil;
  }
  return unknown ? waitForKey(turn, unknown.message) : resumeAt;
}

const isReplyInThread = ({ channelId }: ChannelTurn, { kind, card }: WaitingMessage) =>
  kind === 'reply' && card?.threadId === channelId;

async function reservationFor(
  { account }: ChannelTurn,
  message: WaitingMessage,
): Promise<Reservation | null> {
  if (message.kind === 'counter') {
    const stopped = await whyCannotPost(account);
    return stopped ? { stopped } : { periodStart: message.usagePeriodStart };
  }
  const isFirstLine = message.kind === 'thread_start' && !message.card?.threadProblem;
  if (isFirstLine || !(UNCOUNTED.includes(message.kind) || isAboutCard(message)))
    return reserveNotification(account, message);
  const stopped = isAboutCard(message) ? whyStopped(account, new Date()) : null;
  return stopped ? { stopped } : NO_RESERVATION_NEEDED;
}

async function waitUntil(at: number): Promise<void> {
  const ms = at - performance.now();
  // A timer may be early by a millisecond.
  if (ms > 0) await sleep(Math.ceil(ms) + 1);
}

/** What becomes of a refused channel's messages when Discord did not show its server. */
async function afterFailedCheck(turn: ChannelTurn, message: WaitingMessage, error: unknown): Promise<number> {
  if (!(error instanceof DiscordError)) throw error;
  const retry = decideRetry(message, error, turn.databaseTime);
  if ('limitedForMs' in retry || retry.retryInMs !== null) return retryLater(turn, message, error);
  await keepRefused(turn, channelOf(turn, message), retry.reason);
  return 0;
}

/** Sends or holds one message. Returns until when its channel has to wait; null when it may go on at once. */
async function sendOne(given: Attempt): Promise<number | null> {
  const attempt = editsReply(given.message) ? await findEdited(given) : given;
  if ('until' in attempt) return attempt.until;
  const { turn, results, message, slot, reservation } = attempt;
  const body: PostBody | null = readMessage(message);
  if (!body) {
    const unread = { messageId: message.id, answeredSince: turn.claimedAt, holds: holdsTurnSql(turn) };
    await endMessages(unread, 'failed', 'The card could not be read any more.', 'unreadable');
    return null;
  }
  try {
    if (await isPosted(attempt, body)) return null;
    if ('stopped' in reservation) {
      await results.flush();
      // In a forum a notice would be a post of its own.
      const hasNotice = !body.post && !message.card?.isPost;
      await holdChannel(turn, message.id, { stopped: reservation.stopped, hasNotice });
      return null;
    }
    const ready = await prepare(attempt, body);
    if ('until' in ready) return ready.until;
    const left = await leftToSay(attempt, ready.body);
    if (!left) return null;
    const sent = await call(attempt, left, ready.edits).finally(() => results.answered(slot));
    const why = sent.lostEmbeds ? await whyWithoutEmbeds(turn, channelOf(turn, message)) : null;
    // The edit is repeated then.
    if (why && 'until' in why) return why.until;
    // An attempt before the permission came back may have posted it: Discord answers with that message.
    const isNew = ready.edits === null && !sent.placeId;
    if (sent.lostEmbeds && isNew && !why) await callOnce(attempt, left, sent.messageId);
    // A post has its title and its tags; a later edit shows the card.
    if (!why || sent.placeId) results.sent(message, sent.messageId, reservation.periodStart, sent.placeId);
    if (why) {
      await results.flush();
      return stopWithoutEmbeds(turn, message, why.denied);
    }
    return afterLimit(attempt, results.taken(limitOf(attempt), sent.exhaustedForMs));
  } catch (failure) {
    // The channel's next turn looks whether the message was posted.
    if (failure instanceof CallTooLate) return 0;
    if (!(failure instanceof DiscordError)) throw failure;
    const error = await confirmRefusal(turn, failure);
    const until = await afterLivingRefusal(attempt, error);
    if (until !== undefined) return until;
    if (message.kind !== 'edit' && isMessageGone(error) && 'periodStart' in reservation) {
      results.sent(message, null, reservation.periodStart);
      return null;
    }
    return afterRefusal(attempt, error);
  }
}

async function prepare(attempt: Attempt, body: PostBody) {
  const { message } = attempt;
  if (isAboutCard(message)) return prepareLiving(attempt, body);
  if (message.kind === 'notice') return prepareNotice(attempt, body);
  return { body, edits: message.discordMessageId };
}

/**
 * Calls Discord; unarchives the thread first if that is why Discord refuses an edit, and posts a reply as a message of
 * its own where Discord takes no replies.
 */
async function call(attempt: Attempt, body: PostBody, messageId: string | null): Promise<Sent> {
  const { turn } = attempt;
  try {
    return await callOnce(attempt, body, messageId);
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error;
    if (body.message_reference && isReplyRefused(error)) {
      return callOnce(attempt, withoutReference(body), messageId);
    }
    if (!isThreadClosed(error)) throw error;
    await wakeThread(turn.channelId, turn.account.id, turn.leaseLeft).catch((refusal) => {
      // If the bot may not unarchive it, the refusal of the edit is the one to report.
      throw refusal instanceof DiscordError && !refusal.isTransient ? error : refusal;
    });
    return callOnce(attempt, body, messageId);
  }
}

type Sent = SentMessage & Partial<PostedIn>;

async function callOnce(attempt: Attempt, given: PostBody, messageId: string | null): Promise<Sent> {
  const { turn, message } = attempt;
  const { channelId, leaseLeft } = turn;
  const { post, ...body } = given;
  const by = { isCard: true } as const;
  if (post && messageId === null && !isAboutCard(message)) {
    return openPost(aboutPost(attempt), { ...body, post }, by, leaseLeft);
  }
  const sent = await (messageId === null
    ? sendMessage(channelId, { ...body, nonce: nonceOf(message.id) }, by, leaseLeft)
    : editMessage({ channelId, messageId }, body, by, leaseLeft));
  const { card } = message;
  if (post && card?.isPost) {
    const { messageId: cardId, channelId: forumId, postState: shown } = card;
    await syncPost(
      { ...aboutPost(attempt), messageId: cardId, forumId, postId: channelId, shown },
      post,
      leaseLeft,
    );
  }
  return sent;
}
