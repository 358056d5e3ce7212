import { PermissionFlagsBits as Bit, ChannelType, MessageFlags } from 'discord-api-types/v10';
import type { Hono } from 'hono';
import { z } from 'zod';
import { discordError, formError } from '../discord-error';
import { parseForm } from '../form';
import { parseMessage, requireSomething } from '../messages/message-schema';
import { postMessage } from '../messages/post-message';
import { may, permissionsIn } from '../permissions';
import type { StoredChannel } from '../state';
import type { World } from '../world';
import { jsonBody, requireBot, requireChannel, requireMessage, requirePermission } from './access';
import type { Env } from './guard';
import { isForum, toChannel, toMessage } from './to-api';

const MAX_THREADS = 1000;
const DURATIONS = [60, 1440, 4320, 10080];

const threadSchema = z.object({
  name: z.string().trim().min(1).max(100),
  auto_archive_duration: z
    .number()
    .refine((minutes) => DURATIONS.includes(minutes))
    .nullish(),
  rate_limit_per_user: z.number().int().min(0).max(21_600).nullish(),
});

const tagsSchema = z.array(z.string().regex(/^\d{15,21}$/)).max(5);

const changeSchema = z.object({
  name: z.string().trim().min(1).max(100).optional(),
  archived: z.boolean().optional(),
  locked: z.boolean().optional(),
  applied_tags: tagsSchema.optional(),
});

const ofChannelSchema = threadSchema.extend({
  type: z.union([z.literal(10), z.literal(11), z.literal(12)]).default(12),
});

const pageSchema = z.object({ limit: z.coerce.number().int().min(1).max(100).default(50) });

/** Threads of messages: https://discord.com/developers/docs/resources/channel#start-thread-from-message */
export function threadRoutes(api: Hono<Env>, world: World): void {
  api.post('/channels/:channel/messages/:message/threads', async (c) => {
    requireBot(world, c);
    const channel = requireChannel(world, c.req.param('channel'));
    const type = typeWithin(channel);
    requirePermission(world, channel, Bit.CreatePublicThreads);
    const message = requireMessage(world, channel, c.req.param('message'));
    const { name } = parseForm(threadSchema, await jsonBody(c));
    if (message.flags & MessageFlags.HasThread) throw discordError('threadExists');
    requireRoom(world, channel);
    const thread = addThread(world, channel, { id: message.id, type, name });
    message.flags |= MessageFlags.HasThread;
    message.version += 1;
    world.save();
    return c.json(toChannel(world, thread), 201);
  });

  // In a forum or a media channel: a post with its first message. Elsewhere: a thread without a message.
  api.post('/channels/:channel/threads', async (c) => {
    requireBot(world, c);
    const channel = requireChannel(world, c.req.param('channel'));
    const body = await jsonBody(c);
    if (isForum(channel)) return c.json(createPost(world, channel, body), 201);
    typeWithin(channel);
    const { name, type } = parseForm(ofChannelSchema, body);
    const isPrivate = type === ChannelType.PrivateThread;
    requirePermission(world, channel, isPrivate ? Bit.CreatePrivateThreads : Bit.CreatePublicThreads);
    requireRoom(world, channel);
    const thread = addThread(world, channel, { id: world.nextId(), type, name });
    if (isPrivate) Object.assign(thread.thread ?? {}, { isPrivate, hasBot: true });
    world.save();
    return c.json(toChannel(world, thread), 201);
  });

  api.get('/channels/:channel/threads/archived/public', (c) => {
    requireBot(world, c);
    const channel = requireChannel(world, c.req.param('channel'));
    requirePermission(world, channel, Bit.ReadMessageHistory);
    const { limit } = parseForm(pageSchema, c.req.query());
    const archived = Object.values(world.state.channels)
      .filter(({ parentId, thread }) => parentId === channel.id && thread?.isArchived && !thread.isPrivate)
      .sort((one, other) => (BigInt(one.id) > BigInt(other.id) ? -1 : 1));
    const threads = archived.slice(0, limit).map((thread) => toChannel(world, thread));
    return c.json({ threads, members: [], has_more: archived.length > limit });
  });

  api.patch('/channels/:channel', async (c) => {
    requireBot(world, c);
    const channel = requireChannel(world, c.req.param('channel'));
    if (!channel.thread) throw discordError('missingPermissions');
    const change = parseForm(changeSchema, await jsonBody(c));
    requireMayChange(world, channel, change);
    if (change.applied_tags) {
      const forum = world.channel(channel.parentId ?? '');
      if (!forum || !isForum(forum)) throw discordError('wrongChannelType');
      requireTags(world, forum, change.applied_tags);
    }
    if (change.archived === false && channel.thread.isArchived) requireRoom(world, channel);
    if (change.name !== undefined) channel.name = change.name;
    if (change.archived !== undefined) channel.thread.isArchived = change.archived;
    if (change.locked !== undefined) channel.thread.isLocked = change.locked;
    if (change.applied_tags) channel.thread.tags = change.applied_tags;
    world.save();
    return c.json(toChannel(world, channel));
  });
}

// https://discord.com/developers/docs/resources/channel#start-thread-in-forum-or-media-channel
const postSchema = threadSchema.extend({
  message: z.record(z.string(), z.unknown()),
  applied_tags: tagsSchema.default([]),
});

const POST_FLAGS = MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications;

function createPost(world: World, forum: StoredChannel, body: unknown) {
  requirePermission(world, forum, Bit.SendMessages);
  const { name, message, applied_tags: tags } = parseForm(postSchema, body);
  const parsed = parseMessage(message);
  requireSomething({ content: '', embeds: [], components: [], ...withoutAbsent(parsed) });
  if (parsed.flags & ~POST_FLAGS) {
    throw formError(['message', 'flags'], 'BASE_TYPE_CHOICES', 'These flags are not allowed here.');
  }
  requireTags(world, forum, tags);
  requireRoom(world, forum);
  const thread = addThread(world, forum, { id: world.nextId(), type: ChannelType.PublicThread, name });
  if (thread.thread) thread.thread.tags = tags;
  // Discord does not recognise a repeated post.
  const first = postMessage(
    world,
    thread,
    { ...parsed, nonce: null, enforceNonce: false },
    { id: thread.id },
  );
  return { ...toChannel(world, thread), message: toMessage(world, first) };
}

const withoutAbsent = ({ content, embeds, components }: ReturnType<typeof parseMessage>) => ({
  ...(content && { content }),
  ...(embeds && { embeds }),
  ...(components && { components }),
});

function requireTags(world: World, forum: StoredChannel, ids: string[]): void {
  const { tags, requiresTag } = forum.forum ?? { tags: [], requiresTag: false };
  const bits = permissionsIn(world.state, forum, world.botId, world.now());
  const moderates = may(bits, Bit.ManageThreads);
  const chosen = ids.map((id) => tags.find((tag) => tag.id === id));
  if (chosen.includes(undefined)) throw discordError('unknownTag');
  if (!moderates && chosen.some((tag) => tag?.moderated)) throw discordError('missingPermissions');
  if (!requiresTag || ids.length > 0) return;
  throw discordError(!moderates && tags.every((tag) => tag.moderated) ? 'onlyModeratedTags' : 'tagRequired');
}

/** Anybody who may write in a thread brings it back; its creator changes it; who manages threads also locks it. */
function requireMayChange(world: World, channel: StoredChannel, change: z.infer<typeof changeSchema>): void {
  const { isArchived, isLocked, ownerId = world.botId } = channel.thread ?? {};
  const { archived, ...others } = change;
  const onlyWakes = archived === false && Object.values(others).every((value) => value === undefined);
  const isOwn = ownerId === world.botId;
  if (isLocked || change.locked !== undefined || !(isOwn || onlyWakes)) {
    requirePermission(world, channel, Bit.ManageThreads);
  }
  requirePermission(world, channel, Bit.SendMessagesInThreads);
  if (isArchived && archived !== false) throw discordError('threadArchived');
}

function addThread(
  world: World,
  parent: StoredChannel,
  { id, type, name }: Pick<StoredChannel, 'id' | 'type' | 'name'>,
): StoredChannel {
  const thread: StoredChannel = {
    id,
    type,
    guildId: parent.guildId,
    parentId: parent.id,
    name,
    topic: null,
    position: 0,
    overwrites: [],
    recipients: [],
    thread: { isArchived: false, isLocked: false },
  };
  world.state.channels[id] = thread;
  return thread;
}

function typeWithin(channel: StoredChannel): ChannelType {
  if (channel.type === ChannelType.GuildText) return ChannelType.PublicThread;
  if (channel.type === ChannelType.GuildAnnouncement) return ChannelType.AnnouncementThread;
  throw discordError('wrongChannelType');
}

function requireRoom(world: World, { guildId }: StoredChannel): void {
  const most = world.state.mostThreads ?? MAX_THREADS;
  if (world.activeThreads(guildId ?? '').length >= most) throw discordError('tooManyThreads');
}
