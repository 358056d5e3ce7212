import { channelLimit, followUpLimit } from '../calls/call-limits';
import type { ChannelTurn, GrantedMessage, WaitingMessage } from '../outbox/claim-channels';
import type { Reservation } from '../outbox/reserve-notification';
import type { TurnResults } from '../outbox/turn-results';

/** A message on its way, with what its turn knows. */
export interface Attempt extends GrantedMessage {
  turn: ChannelTurn;
  results: TurnResults;
  reservation: Reservation;
}

/** Whether a message is a line in the thread of a card, or in its post. */
export const isLine = ({ kind }: Pick<WaitingMessage, 'kind'>) => kind === 'reply' || kind === 'thread_start';

/** Whether a message is an edit of, or a line about, a living card that another message posts. */
export const isAboutCard = (message: WaitingMessage) =>
  message.pageId !== null && (message.kind === 'edit' || isLine(message));

/** Whether a message is a line that is being sent in its card's thread, not one that waits in the card's channel. */
export const isInThread = ({ turn: { channelId }, message }: Attempt) =>
  isLine(message) && message.card?.threadId === channelId;

const NEVER = new Date(0);

/**
 * A message that ends now may have been posted if it was first tried before this; undefined stands for any time,
 * because this attempt `mayHave` posted it. A line that is not in its thread or post yet cannot have been posted.
 */
export function doubtfulBefore(attempt: Attempt, { mayHave = false } = {}): Date | undefined {
  const { message, turn } = attempt;
  if (isAboutCard(message) && isLine(message) && !isInThread(attempt)) return NEVER;
  return mayHave ? undefined : turn.claimedAt;
}

/** The channel that a turn's message is in: for one in a card's thread, or in its post, the channel of the card. */
export const channelOf = ({ channelId }: ChannelTurn, { card }: Pick<WaitingMessage, 'card'>): string =>
  card?.threadId === channelId ? card.channelId : channelId;

/** What identifies the post of a message in a forum. */
export const aboutPost = ({ turn, message }: Attempt) => ({
  forumId: turn.channelId,
  accountId: turn.account.id,
  messageId: message.id,
  ruleId: message.sourceId,
});

/** What Discord limits a message's call with. */
export const limitOf = (attempt: Attempt) =>
  (isFollowUp(attempt) ? followUpLimit : channelLimit)(attempt.turn.channelId);

/** Until when the turn waits for a limit, if at all: posts need not wait for a limit of follow-ups. */
export const afterLimit = (attempt: Attempt, until: number | null) =>
  until !== null && isFollowUp(attempt) ? performance.now() : until;

/** Whether a message edits another or starts its thread. Once a thread is known, its first line is sent there. */
const isFollowUp = (attempt: Attempt) =>
  attempt.message.kind === 'edit' || (attempt.message.kind === 'thread_start' && !isInThread(attempt));
