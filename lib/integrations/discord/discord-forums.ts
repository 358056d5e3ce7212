import {
  ChannelFlags,
  ChannelType,
  RESTJSONErrorCodes,
  type RESTPatchAPIChannelJSONBody,
  type RESTPostAPIGuildForumThreadsJSONBody,
} from 'discord-api-types/v10';
import { z } from 'zod';
import type { TimeLeft } from '@/lib/time';
import { aboutGuild, getBotUserId, tagsSchema } from './discord-guild';
import { losesEmbeds, type MessageBody, type PostedMessage, postedSchema } from './discord-messages';
import { DiscordError, discordRequest, readReply, refusedAsNull } from './discord-request';
import { madeAt } from './snowflake';

/** The most tags that a post can have. */
export const MAX_TAGS = 5;
/** The most characters in the name of a tag. */
const MAX_TAG_NAME = 20;

export type ForumTag = z.infer<typeof tagsSchema>[number];

const forumSchema = z.object({ type: z.number(), flags: z.number().catch(0), available_tags: tagsSchema });

export const isForumType = (type: number) =>
  type === ChannelType.GuildForum || type === ChannelType.GuildMedia;

/** Whether every post of a forum must have a tag. */
export const requiresTag = (flags: number) => (flags & ChannelFlags.RequireTag) !== 0;

/**
 * The current tags of a forum or a media channel, and whether every post must have one. Throws DiscordError, also if
 * the channel has another type by now.
 */
export async function getForumTags(
  accountId: string,
  forumId: string,
): Promise<{ tags: ForumTag[]; needsTag: boolean }> {
  const { body } = await discordRequest('GET', `/channels/${forumId}`, { accountId });
  const { type, flags, available_tags: tags } = readReply(forumSchema, body);
  // A text channel would start a private thread instead.
  if (!isForumType(type))
    throw new DiscordError(
      400,
      RESTJSONErrorCodes.CannotExecuteActionOnThisChannelType,
      'The channel is no forum',
    );
  return { tags, needsTag: requiresTag(flags) };
}

/** The tags with these names, in that order, up to what a post can have. Ignores case and white space at the ends. */
export function tagsNamed(tags: ForumTag[], names: string[]): string[] {
  const found = names.flatMap((name) => {
    const cut = [...name.trim()].slice(0, MAX_TAG_NAME).join('');
    const tag = tags.find((each) => isSame(each.name, name)) ?? tags.find((each) => isSame(each.name, cut));
    return tag ? [tag.id] : [];
  });
  return [...new Set(found)].slice(0, MAX_TAGS);
}

const isSame = (one: string, other: string) => plain(one) === plain(other);
const plain = (name: string) => name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();

const createdSchema = z.object({ id: z.string(), message: z.unknown().optional() });

/**
 * Makes a post with its first message, which has the same id as the post. Discord does not recognise a repeated call,
 * so a caller that may have made it before has to look for the post. `by` and `claimLeft` are as for `sendMessage`.
 * Throws DiscordError and CallTooLate.
 */
export async function createPost(
  forumId: string,
  { name, tagIds, message }: { name: string; tagIds: string[]; message: MessageBody },
  by: { isCard: true } | { accountId: string },
  claimLeft?: TimeLeft,
): Promise<{ postId: string; exhaustedForMs: number; lostEmbeds: boolean }> {
  const json: RESTPostAPIGuildForumThreadsJSONBody = { name, message };
  const path = `/channels/${forumId}/threads`;
  const tags = tagIds.length > 0 ? tagIds : undefined;
  const call = { ...withTags(json, tags), ...by, claimLeft };
  const { body, exhaustedForMs } = await discordRequest('POST', path, call);
  const created = readReply(createdSchema, body);
  return { postId: created.id, exhaustedForMs, lostEmbeds: losesEmbeds(message, created.message) };
}

/** Closes or opens a post of the bot, or changes its tags. Throws DiscordError and CallTooLate. */
export async function changePost(
  postId: string,
  { isClosed, tagIds }: { isClosed: boolean; tagIds?: string[] },
  accountId: string,
  claimLeft: TimeLeft,
): Promise<void> {
  const json: RESTPatchAPIChannelJSONBody = { archived: isClosed };
  const call = { ...withTags(json, tagIds), accountId, claimLeft };
  await discordRequest('PATCH', `/channels/${postId}`, call);
}

// A refusal of the tags says nothing about the same call without them.
const withTags = (json: object, tagIds: string[] | undefined) =>
  tagIds ? { json: { ...json, applied_tags: tagIds }, subject: 'tags' } : { json };

/** The ids of the tags that a post has. Throws DiscordError. */
export async function getPostTags(accountId: string, postId: string): Promise<string[]> {
  const { body } = await discordRequest('GET', `/channels/${postId}`, { accountId });
  return readReply(z.object({ applied_tags: z.array(z.string()).catch([]) }), body).applied_tags;
}

const ownPostSchema = z.object({
  id: z.string(),
  name: z.string().catch(''),
  parent_id: z.string().nullish(),
  owner_id: z.string().nullish(),
});
const postsSchema = z.object({ threads: z.array(ownPostSchema).catch([]) });

export interface OwnPost {
  id: string;
  name: string;
  createdAt: Date;
}

/** The bot's own posts in a forum: the active ones, and the hundred that were archived last. Throws DiscordError. */
export async function listOwnPosts(accountId: string, guildId: string, forumId: string): Promise<OwnPost[]> {
  const botUserId = await getBotUserId();
  const call = discordRequest('GET', `/guilds/${guildId}/threads/active`, { accountId });
  const active = await aboutGuild(guildId, call);
  const path = `/channels/${forumId}/threads/archived/public?limit=100`;
  // Without Read Message History only the active posts can be read.
  const archived = await discordRequest('GET', path, { accountId }).catch(refusedAsNull);
  return [active, archived]
    .flatMap((reply) => (reply ? readReply(postsSchema, reply.body).threads : []))
    .filter(({ parent_id, owner_id }) => parent_id === forumId && owner_id === botUserId)
    .map(({ id, name }) => ({ id, name, createdAt: madeAt(id) }));
}

/** The first message of a post; null when it cannot be read. Throws DiscordError when Discord does not answer. */
export async function getFirstMessage(accountId: string, postId: string): Promise<PostedMessage | null> {
  const path = `/channels/${postId}/messages/${postId}`;
  const reply = await discordRequest('GET', path, { accountId }).catch(refusedAsNull);
  return reply && readReply(postedSchema, reply.body);
}
