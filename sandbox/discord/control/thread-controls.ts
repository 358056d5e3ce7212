import { ChannelType } from 'discord-api-types/v10';
import type { Hono } from 'hono';
import { z } from 'zod';
import { discordError } from '../discord-error';
import { parseForm } from '../form';
import { jsonBody } from '../rest/access';
import type { Env } from '../rest/guard';
import { isForum } from '../rest/to-api';
import type { StoredChannel } from '../state';
import type { World } from '../world';
import { BASE, channelOf } from './control-base';

// A person without any server.
const SOMEBODY = '208917000000000999';

const newThreadForm = z.object({
  name: z.string().min(1).max(100),
  isPrivate: z.boolean().default(false),
  hasBot: z.boolean().default(false),
});
const forumForm = z.object({
  tags: z
    .array(z.object({ name: z.string().min(1).max(20), moderated: z.boolean().default(false) }))
    .max(20)
    .default([]),
  requiresTag: z.boolean().default(false),
});
const threadForm = z.object({
  isArchived: z.boolean().optional(),
  isLocked: z.boolean().optional(),
  /** The names of the tags of a post. */
  tags: z.array(z.string()).optional(),
});
const threadsForm = z.object({ most: z.number().int().min(0) });

/** Threads and forums. */
export function threadControls(app: Hono<Env>, world: World): void {
  // A thread started by a person.
  app.post(`${BASE}/channels/:channel/threads`, async (c) => {
    const parent = channelOf(world, c.req.param('channel'));
    const { name, isPrivate, hasBot } = parseForm(newThreadForm, await jsonBody(c));
    const ofText = isPrivate ? ChannelType.PrivateThread : ChannelType.PublicThread;
    const type = parent.type === ChannelType.GuildAnnouncement ? ChannelType.AnnouncementThread : ofText;
    const thread: StoredChannel = {
      ...parent,
      id: world.nextId(),
      type,
      parentId: parent.id,
      name,
      topic: null,
      position: 0,
      overwrites: [],
      thread: {
        isArchived: false,
        isLocked: false,
        isPrivate,
        hasBot,
        ...(hasBot ? {} : { ownerId: SOMEBODY }),
      },
    };
    delete thread.forum;
    world.state.channels[thread.id] = thread;
    world.save();
    return c.json({ id: thread.id }, 201);
  });

  app.patch(`${BASE}/threads/:channel`, async (c) => {
    const { thread, parentId } = channelOf(world, c.req.param('channel'));
    if (!thread) throw discordError('wrongChannelType');
    const { tags: names, ...change } = parseForm(threadForm, await jsonBody(c));
    Object.assign(thread, change);
    const known = world.channel(parentId ?? '')?.forum?.tags ?? [];
    if (names) thread.tags = known.filter(({ name }) => names.includes(name)).map(({ id }) => id);
    world.save();
    return c.body(null, 204);
  });

  app.put(`${BASE}/channels/:channel/forum`, async (c) => {
    const channel = channelOf(world, c.req.param('channel'));
    if (!isForum(channel)) throw discordError('wrongChannelType');
    const { tags, requiresTag } = parseForm(forumForm, await jsonBody(c));
    if (new Set(tags.map(({ name }) => name)).size < tags.length) throw discordError('tagNameTaken');
    const known = channel.forum?.tags ?? [];
    const idOf = (name: string) => known.find((tag) => tag.name === name)?.id ?? world.nextId();
    channel.forum = { tags: tags.map((tag) => ({ id: idOf(tag.name), ...tag })), requiresTag };
    // Deleting a tag also removes it from every post.
    const ids = channel.forum.tags.map(({ id }) => id);
    for (const { parentId, thread } of Object.values(world.state.channels)) {
      if (parentId === channel.id && thread?.tags) thread.tags = thread.tags.filter((id) => ids.includes(id));
    }
    world.save();
    return c.json(channel.forum);
  });

  app.get(`${BASE}/channels/:channel/posts`, (c) => {
    const { id, forum } = channelOf(world, c.req.param('channel'));
    const posts = Object.values(world.state.channels).filter(
      ({ parentId, thread }) => thread && parentId === id,
    );
    return c.json({
      posts: posts.map((post) => ({
        id: post.id,
        name: post.name,
        isArchived: post.thread?.isArchived,
        isLocked: post.thread?.isLocked,
        tags: (post.thread?.tags ?? []).map((tag) => forum?.tags.find((each) => each.id === tag)?.name),
        messages: world.messagesOf(post.id),
      })),
    });
  });

  app.put(`${BASE}/threads`, async (c) => {
    world.state.mostThreads = parseForm(threadsForm, await jsonBody(c)).most;
    world.save();
    return c.body(null, 204);
  });
}
