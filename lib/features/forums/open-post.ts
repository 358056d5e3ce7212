import { setTimeout as sleep } from 'node:timers/promises';
import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import { hash } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import {
  changePost,
  createPost,
  type ForumTag,
  getForumTags,
  getPostTags,
  MAX_TAGS,
} from '@/lib/integrations/discord/discord-forums';
import type { MessageBody, SentMessage } from '@/lib/integrations/discord/discord-messages';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { SECOND_MS, type TimeLeft } from '@/lib/time';
import { notePostState } from '../posted/record-card';
import { lastSeenChannels } from '../servers/read-guild';
import { type PostShape, tagsFor } from './post-shape';

const NO_TAGS = 'none';

// In place of the tags of a post while Discord has not confirmed new ones, so that the next change sends its own.
const UNKNOWN = 'unknown';

const CLOSE_ATTEMPTS = 3;
const CLOSE_AGAIN_AFTER_MS = SECOND_MS / 2;
// The turn of the forum takes one of the places that all channels share.
const MAX_CLOSE_WAIT_MS = 2 * SECOND_MS;

/** A forum, and the account whose rule posts there. */
interface Forum {
  forumId: string;
  accountId: string;
}

/** The card of a post. */
interface About {
  /** The id of the card's row in `message`. */
  messageId: string;
  ruleId: string | null;
}

/** A message that Discord has posted, and the post that it is in. */
export type PostedIn = SentMessage & { placeId: string };

/** The state of a post as it is noted, with the ids of the tags that it got from us, if they are known. */
function stateOf({ tags, isClosed }: PostShape, tagIds?: string[]): string {
  return withTags(`${isClosed ? 'closed' : 'open'} ${hash(JSON.stringify(tags))}`, tagIds);
}

const withTags = (state: string, tagIds: string[] | undefined) =>
  tagIds ? `${state} ${tagIds.join(',') || NO_TAGS}` : state;

function readState(noted: string | null) {
  const [isOpen, names, ids] = noted?.split(' ') ?? [];
  return { isOpen, names, tagIds: ids?.split(',').filter((id) => id !== NO_TAGS) };
}

/**
 * Makes a post, with the tags that it gets in the forum. If it is to be closed from the start, it is closed right
 * after. Throws DiscordError and CallTooLate.
 */
export async function openPost(
  forum: Forum & Partial<About>,
  { post, ...message }: MessageBody & { post: PostShape },
  by: { isCard: true } | { accountId: string },
  claimLeft: TimeLeft,
): Promise<PostedIn> {
  const { known, tagIds: found, needsTag } = await findTags(forum, post);
  const make = async (tagIds: string[]) => {
    const made = await createPost(forum.forumId, { name: post.name, tagIds, message }, by, claimLeft);
    return { ...made, tagIds };
  };
  const { postId, tagIds, ...answer } = await make(found).catch((error) => {
    // Since the channels were read, a tag may have become one that only moderators set.
    if (!isForbidden(error) || !found.some((id) => isModerated(known, id))) throw error;
    return make(
      tagsFor(
        post,
        known.filter(({ moderated }) => !moderated),
        needsTag,
      ),
    );
  });
  await closeNew(forum, { postId, post, tagIds, claimLeft });
  return { messageId: postId, placeId: postId, ...answer };
}

interface NewPost {
  postId: string;
  post: PostShape;
  /** Absent when the tags that it was made with are not known any more. */
  tagIds?: string[];
  claimLeft: TimeLeft;
}

/**
 * Closes a new post if it is to be closed, and notes its state. Tries three times while Discord fails or limits the call
 * for a moment; after that the next edit closes it.
 */
export async function closeNew(
  { accountId, messageId, ruleId }: Forum & Partial<About>,
  { postId, post, tagIds, claimLeft }: NewPost,
): Promise<void> {
  try {
    if (post.isClosed) await close(postId, accountId, claimLeft);
  } catch (err) {
    log.warn({ err, postId }, 'post not closed');
    return;
  }
  if (messageId && ruleId) await noteState({ messageId, ruleId }, post, stateOf(post, tagIds));
}

async function close(postId: string, accountId: string, claimLeft: TimeLeft): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await changePost(postId, { isClosed: true }, accountId, claimLeft);
    } catch (error) {
      if (!(error instanceof DiscordError && error.isTransient) || attempt === CLOSE_ATTEMPTS) throw error;
      const waitMs = error.retryAfterMs ?? CLOSE_AGAIN_AFTER_MS;
      if (waitMs > Math.min(MAX_CLOSE_WAIT_MS, claimLeft())) throw error;
      await sleep(waitMs);
    }
  }
}

/**
 * Gives a post the tags of its page, and closes it when the page is done or opens it again. Tags that people gave it
 * stay. A post that must have a tag keeps its tags if the forum has none of the page's. `shown` is its state as last
 * noted. A refusal is only logged: the first message shows the page all the same. Throws DiscordError when Discord does
 * not answer, and CallTooLate.
 */
export async function syncPost(
  { postId, shown, ...about }: Forum & About & { postId: string; shown: string | null },
  post: PostShape,
  claimLeft: TimeLeft,
): Promise<void> {
  const was = readState(shown);
  const wanted = readState(stateOf(post));
  const hasOtherTags = was.names !== wanted.names;
  // A new line reopens a closed post, so it may have to be closed again.
  if (!hasOtherTags && was.isOpen === wanted.isOpen && !post.isClosed) return;
  const { accountId } = about;
  try {
    const tags = hasOtherTags ? await newTags(about, post, { postId, ours: was.tagIds }) : undefined;
    let ours = tags?.ours ?? was.tagIds;
    if (tags && was.isOpen) {
      // If the answer is lost, the post may have tags from us that would be taken for those that people gave it.
      const maybeOurs = was.tagIds && [...new Set([...was.tagIds, ...tags.ours])];
      await noteState(about, post, withTags(`${was.isOpen} ${UNKNOWN}`, maybeOurs));
    }
    await changePost(
      postId,
      { isClosed: post.isClosed, ...(tags && { tagIds: tags.all }) },
      accountId,
      claimLeft,
    ).catch(async (error) => {
      // Discord's pages disagree on who may change tags, and a tag may have been deleted just now.
      if (!tags || !isFinal(error)) throw error;
      log.warn({ err: error, postId }, 'tags of a post not changed');
      ours = was.tagIds;
      await changePost(postId, { isClosed: post.isClosed }, accountId, claimLeft);
    });
    await noteState(about, post, stateOf(post, ours));
  } catch (error) {
    if (!isFinal(error)) throw error;
    log.warn({ err: error, postId }, 'post not changed');
  }
}

const isModerated = (known: ForumTag[], tagId: string) =>
  known.some(({ id, moderated }) => id === tagId && moderated);

const isForbidden = (error: unknown) =>
  error instanceof DiscordError && error.code === RESTJSONErrorCodes.MissingPermissions;

const isFinal = (error: unknown) => error instanceof DiscordError && !error.isTransient;

/**
 * The tags that a post gets instead of `ours`, those that it last got from us, and all that it then has. Undefined if it
 * must have a tag and would have none. Without `ours` nobody knows which tags people gave it, and none of them stays.
 */
async function newTags(
  forum: Forum,
  post: PostShape,
  { postId, ours }: { postId: string; ours: string[] | undefined },
): Promise<{ ours: string[]; all: string[] } | undefined> {
  const { known, tagIds, needsTag } = await findTags(forum, post);
  const present = ours ? await getPostTags(forum.accountId, postId) : [];
  const given = present.filter((id) => !ours?.includes(id) && known.some((tag) => tag.id === id));
  const all = [...new Set([...tagIds, ...given])].slice(0, MAX_TAGS);
  return needsTag && all.length === 0 ? undefined : { ours: tagIds, all };
}

/** The tags of a forum, those that a post gets there, and whether it must have one. */
async function findTags(
  forum: Forum,
  post: PostShape,
): Promise<{ known: ForumTag[]; tagIds: string[]; needsTag: boolean }> {
  const { tags: known, needsTag } = await getForumTags(forum.accountId, forum.forumId);
  const found = tagsFor(post, known, needsTag);
  const tagIds = found.some((id) => isModerated(known, id))
    ? tagsFor(post, await withoutModerated(forum, known), needsTag)
    : found;
  return { known, tagIds, needsTag };
}

/** Leaves out moderated tags if the bot may not manage threads, as the channels were last read. */
async function withoutModerated({ forumId, accountId }: Forum, known: ForumTag[]): Promise<ForumTag[]> {
  const server = await db().discordServer.findFirst({ where: { accountId } });
  const seen = lastSeenChannels(server ?? { channels: [] }).find(({ id }) => id === forumId);
  return known.filter(({ name, moderated }) => !moderated || seen?.tags.includes(name));
}

async function noteState({ messageId, ruleId }: About, { pageId }: PostShape, state: string): Promise<void> {
  if (pageId === null || ruleId === null) return;
  await notePostState({ pageId, ruleId, messageId }, state);
}
