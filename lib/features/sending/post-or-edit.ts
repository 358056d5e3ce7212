import {
  editMessage,
  type SentMessage,
  sendMessage,
  withoutReference,
} from '@/lib/integrations/discord/discord-messages';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { wakeThread } from '@/lib/integrations/discord/discord-threads';
import { hasNoRoom, isReplyRefused, isThreadClosed } from '../calls/discord-refusal';
import { openPost, type PostedIn, syncPost } from '../forums/open-post';
import type { PostBody } from '../forums/post-shape';
import { nonceOf } from '../messages/sealed-body';
import { type Attempt, aboutPost, isAboutCard } from './attempt';

/** A message as Discord has taken it; with a place if it began a post. */
export type Sent = SentMessage & Partial<PostedIn>;

/**
 * Posts a message, or edits the one with the given id, and returns what Discord made of it. Unarchives the thread first
 * if that is why Discord refuses an edit, and posts a reply as a message of its own where Discord takes no replies.
 * Throws DiscordError and CallTooLate.
 */
export async function postOrEdit(attempt: Attempt, body: PostBody, messageId: string | null): Promise<Sent> {
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
      const mayNot = refusal instanceof DiscordError && !refusal.isTransient && !hasNoRoom(refusal);
      throw mayNot ? error : refusal;
    });
    return callOnce(attempt, body, messageId);
  }
}

/** The same in one call. */
export async function callOnce(attempt: Attempt, given: PostBody, messageId: string | null): Promise<Sent> {
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
