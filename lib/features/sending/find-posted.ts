import type { MessageKind } from '@/lib/db/generated/client';
import {
  listOwnMessages,
  type MessageBody,
  NONCE_IS_KNOWN_MS,
  type PostedMessage,
  withoutReference,
} from '@/lib/integrations/discord/discord-messages';
import { MINUTE_MS } from '@/lib/time';
import { findPost } from '../forums/find-post';
import { closeNew } from '../forums/open-post';
import type { PostBody } from '../forums/post-shape';
import { findTaken } from '../messages/find-taken';
import { type Attempt, aboutPost, isAboutCard, isInThread } from './attempt';

// Allows for the difference between Discord's clock and ours.
const CLOCKS_DIFFER_MS = MINUTE_MS;

/**
 * The id of the message that an attempt since `triedAt` has posted; null when none has. Discord does not return nonces,
 * so the message is recognised by its content, and must not be one that another row already holds. If the bot may not
 * read the history, nothing is found. Throws DiscordError.
 */
export async function findPosted(
  accountId: string,
  channelId: string,
  triedAt: Date,
  message: MessageBody,
): Promise<string | null> {
  const since = new Date(triedAt.getTime() - CLOCKS_DIFFER_MS);
  const posted = await listOwnMessages(accountId, channelId, since);
  const same = posted.filter((each) => saysTheSame(each, message)).map(({ id }) => id);
  if (same.length === 0) return null;
  const taken = await findTaken(same);
  return same.find((id) => !taken.has(id)) ?? null;
}

/** Whether a message in Discord has the content of the one that was to be posted. */
function saysTheSame(posted: PostedMessage, message: MessageBody): boolean {
  const isReplyTo = posted.message_reference?.message_id;
  // If the message replied to is gone, Discord posts the reply without a reference; where it takes none, we do.
  const isElsewhere = isReplyTo !== undefined && isReplyTo !== message.message_reference?.message_id;
  const forms = [message, withoutReference(message)] as PostedMessage[];
  return !isElsewhere && forms.some((form) => gist(form) === gist(posted));
}

/** The parts of a message that Discord keeps as they were sent, apart from white space at the ends. */
function gist({ content, embeds }: Pick<PostedMessage, 'content' | 'embeds'>): string {
  const cards = (embeds ?? []).map(({ title, url, description, timestamp, footer, fields }) => [
    trimmed(title),
    url ?? '',
    trimmed(description),
    timestamp ? new Date(timestamp).getTime() : 0,
    trimmed(footer?.text),
    (fields ?? []).map(({ name, value }) => [trimmed(name), trimmed(value)]),
  ]);
  return JSON.stringify([trimmed(content), cards]);
}

const trimmed = (text: string | null | undefined) => (text ?? '').trim();

// Messages that are posted without a reservation.
const COUNT_NEVER: MessageKind[] = ['reply', 'notice', 'counter'];

/** Whether an earlier attempt posted the message although its answer was lost; if so, it is noted as sent. */
export async function isPosted(attempt: Attempt, body: PostBody): Promise<boolean> {
  const { turn, results, message, reservation } = attempt;
  const { kind } = message;
  // What it is to change is known.
  if (message.discordMessageId !== null) return false;
  if (body.post && !isAboutCard(message)) return isPostThere(attempt, body);
  // An edit may be repeated, and a line that is not in its thread yet cannot have been posted.
  if (isAboutCard(message) && !isInThread(attempt)) return false;
  const isAskedAgain = !('stopped' in reservation);
  const periodStart = isAskedAgain ? reservation.periodStart : message.usagePeriodStart;
  if (!message.triedAt || (!periodStart && !COUNT_NEVER.includes(kind))) return false;
  // Discord still knows the nonce, and recognises the repeated attempt itself.
  if (isAskedAgain && turn.databaseTime(-NONCE_IS_KNOWN_MS) < message.triedAt) return false;
  // The messages before it may have the same content, and must not be found in its place.
  await results.flush();
  const posted = await findPosted(turn.account.id, turn.channelId, message.triedAt, body);
  if (!posted) return false;
  results.sent(message, posted, periodStart);
  return true;
}

/** Like `isPosted`, for a post in a forum: Discord never recognises a repeated one by itself. */
async function isPostThere(attempt: Attempt, { post, ...body }: PostBody): Promise<boolean> {
  const { turn, results, message, reservation } = attempt;
  const periodStart = 'stopped' in reservation ? message.usagePeriodStart : reservation.periodStart;
  const triedAt = message.triedAt ?? message.forgottenSince;
  if (!post || !triedAt || (!periodStart && !COUNT_NEVER.includes(message.kind))) return false;
  await results.flush();
  const about = aboutPost(attempt);
  const postId = await findPost(turn, {
    ...about,
    name: post.name,
    triedAt,
    saysTheSame: (posted) => saysTheSame(posted, body),
  });
  if (!postId) return false;
  await closeNew(about, { postId, post, claimLeft: turn.leaseLeft });
  results.sent(message, postId, periodStart, postId);
  return true;
}
