import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { CallTooLate } from '@/lib/integrations/http-call';
import { isMessageGone } from '../calls/discord-refusal';
import type { PostBody } from '../forums/post-shape';
import { forgetPosted } from '../messages/change-ended';
import { readMessage } from '../messages/sealed-body';
import { holdsTurnSql, type WaitingMessage } from '../outbox/claim-channels';
import { endMessages } from '../outbox/end-messages';
import { holdChannel, prepareNotice } from '../outbox/held-notice';
import { editsReply } from '../posted/echo-reply';
import { afterRefusal } from './after-refusal';
import { type Attempt, afterLimit, isAboutCard, limitOf } from './attempt';
import { confirmRefusal } from './channel-problem';
import { isPosted } from './find-posted';
import { leftToSay, linkForgotten } from './forgotten-card';
import { afterLostEmbeds } from './lost-embeds';
import { postOrEdit } from './post-or-edit';
import { afterLivingRefusal, findEdited, prepareLiving } from './send-living';

/** Sends or holds one message. Returns until when its channel has to wait; null when it may go on at once. */
export async function sendOne(given: Attempt): Promise<number | null> {
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
    const left = await leftToSay(attempt, ready);
    if (!left) return null;
    const sent = await postOrEdit(attempt, left.body, left.edits).finally(() => results.answered(slot));
    const { periodStart } = reservation;
    if (sent.lostEmbeds) {
      const until = await afterLostEmbeds(attempt, {
        sent,
        body: left.body,
        isPosted: left.edits === null,
        periodStart,
      });
      if (until !== null) return until;
    }
    results.sent(message, sent.messageId, periodStart, sent.placeId);
    if (left.replaces) {
      const title = left.body.embeds?.[0]?.title ?? '';
      await linkForgotten(turn, left.replaces, { messageId: sent.messageId, title });
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
      if (message.discordMessageId !== null) return postInPlaceOf(message.discordMessageId, message);
      results.sent(message, null, reservation.periodStart);
      return null;
    }
    return afterRefusal(attempt, error);
  }
}

/** Lets the next attempt post a message, because somebody has deleted the one that stood there without its card. */
async function postInPlaceOf(deletedId: string, { id: messageId }: WaitingMessage): Promise<number> {
  await forgetPosted(deletedId, { messageId });
  return performance.now();
}

async function prepare(attempt: Attempt, body: PostBody) {
  const { message } = attempt;
  if (isAboutCard(message)) return prepareLiving(attempt, body);
  if (message.kind === 'notice') return prepareNotice(attempt, body);
  return { body, edits: message.discordMessageId };
}
