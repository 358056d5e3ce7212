import { type MessageBody, messageLink } from '@/lib/integrations/discord/discord-messages';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { startThread } from '@/lib/integrations/discord/discord-threads';
import { followUpLimit } from '../calls/call-limits';
import {
  isChannelGone,
  isMessageGone,
  POST_REFUSES,
  whyNoThread,
  whyThreadEnded,
} from '../calls/discord-refusal';
import type { PostBody } from '../forums/post-shape';
import { forgetPosted } from '../messages/change-ended';
import { makeFirstLine, putBehind } from '../messages/change-waiting';
import { holdsTurnSql, type WaitingMessage } from '../outbox/claim-channels';
import { endMessages } from '../outbox/end-messages';
import { type CurrentCard, readStandingCard } from '../posted/current-card';
import { readReply } from '../posted/echo-reply';
import { postAnew } from '../posted/post-anew';
import {
  dropMessage,
  endThread,
  hasEdit,
  hasUntold,
  moveLines,
  noteThreadProblem,
  openThread,
  putLinesBehind,
} from '../posted/thread-lines';
import { untilTimeoutEnds } from './after-refusal';
import { type Attempt, doubtfulBefore, isAboutCard, isInThread, isLine } from './attempt';

/** A body that also has the name of the thread that it starts, or the shape of its post. */
export type LineBody = PostBody & { threadName?: string };

/** What is left to do: post the body or edit a message with it; or nothing, with `until` as `sendOne` returns it. */
type Prepared = { body: PostBody; edits: string | null } | { until: number | null };

const NO_CARD = 'The card of the page is not in Discord. The next event posts a new one.';

/** Ends the turn, because the claimed message is out of date; the next turn claims it as it is by then. */
const claimAgain = () => ({ until: performance.now() });

/**
 * What is to be done for a message about a living card, as the card stands in Discord now. An edit goes to the card, or
 * becomes a new card when there is none. A line goes to the thread, which the first line starts.
 */
export async function prepareLiving(attempt: Attempt, body: LineBody): Promise<Prepared> {
  const { results, message, turn } = attempt;
  let { card } = message;
  if (card && card.state !== 'sent') {
    await results.flush();
    card = await readStandingCard(message, turn.account.id);
  }
  if (!card) return isLine(message) ? endLine(attempt, NO_CARD) : drop(message);
  if (card.state === 'waiting') {
    if (turn.channelId !== card.channelId) return leaveOldPlace(attempt, card.channelId);
    await (isLine(message) ? putLinesBehind(message, turn.channelId) : putBehind(message));
    return claimAgain();
  }
  if (card.isPost) return preparePost(attempt, card, body);
  if (isLine(message)) return prepareLine(attempt, card, body);
  if (message.discordMessageId !== null) return prepareLink(message, card, body);
  if (card.channelId !== turn.channelId) return drop(message);
  if (card.discordMessageId !== null) return { body, edits: card.discordMessageId };
  await postAnew(message, card, card.state === 'sent' ? 'card_deleted' : 'card_unsent');
  return claimAgain();
}

/** Like `prepareLiving`, in a forum: the card is the first message of a post, where all edits and lines go. */
async function preparePost(attempt: Attempt, card: CurrentCard, body: LineBody): Promise<Prepared> {
  const { turn, message } = attempt;
  const postId = card.discordMessageId;
  if (postId !== null && turn.channelId !== postId) {
    if (turn.channelId !== card.channelId) return leaveOldPlace(attempt, postId);
    await openThread(message, card, postId);
    return claimAgain();
  }
  if (postId === null) {
    if (turn.channelId !== card.channelId) await backToForum(attempt, card);
    else if (message.kind === 'edit')
      await postAnew(message, card, card.state === 'sent' ? 'card_deleted' : 'card_unsent');
    // The edit behind it becomes the new post.
    else if (await hasEdit(message, turn.channelId)) await putLinesBehind(message, turn.channelId);
    else return endLine(attempt, NO_CARD);
    return claimAgain();
  }
  if (!isLine(message)) return { body, edits: postId };
  if (card.threadProblem) return endLine(attempt, POST_REFUSES[card.threadProblem] ?? NO_CARD);
  return { body, edits: message.discordMessageId };
}

/** Moves the lines that wait in the post or thread of a replaced card to the new one; drops an edit of the old card. */
async function leaveOldPlace({ turn, message }: Attempt, to: string): Promise<Prepared> {
  if (!isLine(message)) return drop(message);
  await moveLines(message, { from: turn.channelId, to, isPost: false });
  return claimAgain();
}

/** Moves what waits in a deleted post to its forum, where the new post is made. */
const backToForum = ({ turn, message }: Attempt, { channelId }: CurrentCard) =>
  moveLines(message, { from: turn.channelId, to: channelId, isPost: true });

async function drop(message: WaitingMessage): Promise<Prepared> {
  await dropMessage(message);
  return { until: null };
}

/** Turns an old card into a link to the page's new card. */
async function prepareLink(
  message: WaitingMessage,
  { guildId, channelId, discordMessageId }: CurrentCard,
  body: MessageBody,
): Promise<Prepared> {
  if (discordMessageId === null) return drop(message);
  const content = `${body.content} ${messageLink(guildId, channelId, discordMessageId)}`;
  return { body: { ...body, content }, edits: message.discordMessageId };
}

async function prepareLine(attempt: Attempt, card: CurrentCard, body: LineBody): Promise<Prepared> {
  const { turn, message } = attempt;
  const { threadName = '', ...said } = body;
  const { channelId } = turn;
  if (card.threadId === channelId) return { body: said, edits: message.discordMessageId };
  if (card.discordMessageId === null) return endLine(attempt, NO_CARD);
  if (card.threadProblem) {
    await endThread(message, card, card.threadProblem);
    return claimAgain();
  }
  const place = card.threadId ?? card.channelId;
  if (place !== channelId) {
    await moveLines(message, { from: channelId, to: place, isPost: false });
    return claimAgain();
  }
  if (message.kind === 'reply') {
    await makeFirstLine(message);
    return claimAgain();
  }
  return open(attempt, card, card.discordMessageId, threadName);
}

/** Fails a line that has nowhere to be posted. The next event posts a new card. */
async function endLine(attempt: Attempt, reason: string): Promise<Prepared> {
  const { turn, message } = attempt;
  const answeredSince = doubtfulBefore(attempt);
  const ending = { messageId: message.id, answeredSince, holds: holdsTurnSql(turn) };
  await endMessages(ending, 'failed', reason, 'not_found');
  return { until: null };
}

async function open(attempt: Attempt, card: CurrentCard, messageId: string, name: string): Promise<Prepared> {
  const { turn, results, message, slot } = attempt;
  const { channelId } = card;
  try {
    const started = await startThread({ channelId, messageId }, name, turn.leaseLeft).finally(() =>
      results.answered(slot),
    );
    results.taken(followUpLimit(channelId), started.exhaustedForMs);
    await openThread(message, card, started.threadId);
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error;
    const problem = whyNoThread(error);
    const until = problem && (await untilTimeoutEnds(attempt, error));
    if (until) return { until };
    if (problem) await endThread(message, card, problem);
    else if (isMessageGone(error)) await forgetPosted(card.discordMessageId, { messageId: card.messageId });
    else throw error;
  }
  return claimAgain();
}

/**
 * Completes an attempt to edit the reply to a message from which a task was made with Discord's id of that reply; from
 * then on it is an edit like any other. A reply that was not posted, or that somebody has deleted, is not edited.
 */
export async function findEdited(attempt: Attempt): Promise<Attempt | { until: number | null }> {
  const { results, message } = attempt;
  await results.flush();
  const reply = await readReply(message);
  if (reply?.state === 'waiting') {
    await putBehind(message);
    return claimAgain();
  }
  if (reply?.state !== 'sent' || reply.discordMessageId === null) {
    await dropMessage(message);
    return { until: null };
  }
  return { ...attempt, message: { ...message, pageId: null, discordMessageId: reply.discordMessageId } };
}

/**
 * What becomes of a message that Discord refused because of the living card that it is about. Undefined for a refusal
 * that has nothing to do with the card.
 */
export async function afterLivingRefusal(
  attempt: Attempt,
  error: DiscordError,
): Promise<number | null | undefined> {
  const { message, turn } = attempt;
  const card = isAboutCard(message) ? await readStandingCard(message, turn.account.id) : null;
  if (!card) return undefined;
  if (card.isPost) return afterPostRefusal(attempt, card, error);
  const problem = isInThread(attempt) ? whyThreadEnded(error) : null;
  if (problem) {
    const until = await untilTimeoutEnds(attempt, error);
    if (until !== null) return until;
    await endThread(message, card, problem);
    return performance.now();
  }
  if (message.kind !== 'edit' || !isMessageGone(error)) return undefined;
  if (message.discordMessageId !== null) await dropMessage(message);
  else await postAnew(message, card, 'card_deleted');
  return performance.now();
}

/** Like `afterLivingRefusal`, in a forum: a deleted post is made again; why one takes no lines is recorded. */
async function afterPostRefusal(
  attempt: Attempt,
  card: CurrentCard,
  error: DiscordError,
): Promise<number | null | undefined> {
  const { message, results, turn } = attempt;
  if (turn.channelId !== card.discordMessageId) return undefined;
  const isFirstGone = message.kind === 'edit' && isMessageGone(error);
  if (isFirstGone || isChannelGone(error)) {
    await forgetPosted(card.discordMessageId, { messageId: card.messageId });
    await results.flush();
    // The post is still there, and what its line has told need not be told again. The next event makes a new post.
    if (isFirstGone && !(await hasUntold(message, turn.channelId))) await dropMessage(message);
    else await backToForum(attempt, card);
    return performance.now();
  }
  const problem = isLine(message) ? whyThreadEnded(error) : null;
  if (!problem) return undefined;
  const until = await untilTimeoutEnds(attempt, error);
  if (until !== null) return until;
  await noteThreadProblem(message, card, problem);
  await endLine(attempt, POST_REFUSES[problem] ?? NO_CARD);
  return performance.now();
}
