import { ChannelType, MessageFlags, MessageType, OverwriteType } from 'discord-api-types/v10';
import type { Hono } from 'hono';
import { z } from 'zod';
import { discordError } from './discord-error';
import { parseForm } from './form';
import { sendEvent } from './interactions/webhook-events';
import { blankMessage } from './messages/post-message';
import { installBot, removeBot } from './oauth/install';
import { findPerson } from './oauth/signed-in';
import { permissionsIn } from './permissions';
import { jsonBody } from './rest/access';
import type { Env } from './rest/guard';
import { isForum, toUser } from './rest/to-api';
import type { StoredChannel, StoredGuild } from './state';
import type { World } from './world';

// A person without any server.
const SOMEBODY = '208917000000000999';

const BASE = '/_sandbox/discord';
const bits = z.string().regex(/^\d+$/).default('0');
const limitsForm = z.object({ limits: z.enum(['on', 'off']) });
const conversationsForm = z.object({ areTooMany: z.boolean() });
const inboxForm = z.object({ isClosed: z.boolean() });
const strangerForm = z.object({ id: z.string().regex(/^\d{15,21}$/), username: z.string().min(1).max(32) });
const overwriteForm = z.object({ allow: bits, deny: bits });
const renameForm = z.object({ name: z.string().min(1).max(100), type: z.enum(ChannelType).optional() });
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
const memberForm = z.object({ roles: z.array(z.string()).default([]) });
const openForm = z.object({
  features: z.array(z.string()).default([]),
  vanityUrlCode: z.string().nullable().default(null),
  widgetChannelId: z.string().nullable().default(null),
});
const installForm = z.object({
  permissions: bits,
  scopes: z.array(z.string()).default(['bot', 'applications.commands']),
});
const ageForm = z.object({ minutes: z.number().int().min(1) });
const threadForm = z.object({
  isArchived: z.boolean().optional(),
  isLocked: z.boolean().optional(),
  /** The names of the tags of a post. */
  tags: z.array(z.string()).optional(),
});
const threadsForm = z.object({ most: z.number().int().min(0) });
const timeoutForm = z.object({ until: z.iso.datetime().nullable() });
const eventForm = z.object({ person: z.enum(['mira', 'jonas', 'vera']) });

/** Switches and inspection for tests and demonstrations. */
export function controlRoutes(app: Hono<Env>, world: World): void {
  const channelOf = (id: string): StoredChannel => {
    const channel = world.channel(id);
    if (!channel) throw discordError('unknownChannel');
    return channel;
  };
  const guildOf = (id: string): StoredGuild => {
    const guild = world.guild(id);
    if (!guild) throw discordError('unknownGuild');
    return guild;
  };

  app.get(`${BASE}/guilds`, (c) =>
    c.json(
      Object.values(world.state.guilds).map((guild) => ({
        id: guild.id,
        name: guild.name,
        hasBot: world.isBotIn(guild.id),
        channels: world.channelsOf(guild.id).map((channel) => ({
          id: channel.id,
          name: channel.name,
          type: channel.type,
          botPermissions: String(permissionsIn(world.state, channel, world.botId, world.now())),
        })),
      })),
    ),
  );

  app.get(`${BASE}/channels/:channel/messages`, (c) =>
    c.json({
      messages: world.messagesOf(channelOf(c.req.param('channel')).id).map((message) => ({
        ...message,
        author: world.user(message.authorId)?.username ?? null,
      })),
    }),
  );

  // Discord's own message that a person has joined.
  app.post(`${BASE}/channels/:channel/join-message`, async (c) => {
    const channel = channelOf(c.req.param('channel'));
    const author = world.user(findPerson(parseForm(eventForm, await jsonBody(c)).person)?.discordId ?? '');
    if (!author) throw discordError('unknownUser');
    const message = { ...blankMessage(world, channel, author.id), type: MessageType.UserJoin };
    world.addMessage(message);
    return c.json({ id: message.id }, 201);
  });

  // Makes the messages of a channel older.
  app.post(`${BASE}/channels/:channel/age`, async (c) => {
    const { id } = channelOf(c.req.param('channel'));
    const { minutes } = parseForm(ageForm, await jsonBody(c));
    for (const message of world.messagesOf(id)) {
      message.createdAt = new Date(Date.parse(message.createdAt) - minutes * 60_000).toISOString();
    }
    world.save();
    return c.body(null, 204);
  });

  app.get(`${BASE}/direct-messages/:user`, (c) => {
    const user = c.req.param('user');
    const channel = Object.values(world.state.channels).find(
      (each) => !each.guildId && each.recipients.includes(user),
    );
    return c.json({ channelId: channel?.id ?? null, messages: channel ? world.messagesOf(channel.id) : [] });
  });

  app.get(`${BASE}/calls`, (c) =>
    c.json({
      calls: world.state.calls,
      invalidAnswers: world.state.invalidAnswers,
      rateLimited: world.state.rateLimited,
    }),
  );
  app.delete(`${BASE}/calls`, (c) => {
    world.state.calls = {};
    world.state.invalidAnswers = 0;
    world.state.rateLimited = 0;
    world.persist();
    return c.body(null, 204);
  });

  app.get(`${BASE}/interactions`, (c) => c.json({ interactions: world.state.interactions }));
  app.get(`${BASE}/commands`, (c) => c.json(world.state.commands));

  app.put(`${BASE}/limits`, async (c) => {
    world.state.limits = parseForm(limitsForm, await jsonBody(c)).limits;
    world.persist();
    return c.json({ limits: world.state.limits });
  });

  app.put(`${BASE}/conversations`, async (c) => {
    world.state.hasTooManyConversations = parseForm(conversationsForm, await jsonBody(c)).areTooMany;
    world.persist();
    return c.body(null, 204);
  });

  app.put(`${BASE}/inboxes/:user`, async (c) => {
    const { isClosed } = parseForm(inboxForm, await jsonBody(c));
    const user = c.req.param('user');
    const others = (world.state.closedInboxes ?? []).filter((id) => id !== user);
    world.state.closedInboxes = isClosed ? [...others, user] : others;
    world.persist();
    return c.body(null, 204);
  });

  // A person outside the cast.
  app.post(`${BASE}/users`, async (c) => {
    const { id, username } = parseForm(strangerForm, await jsonBody(c));
    const someone = Object.values(world.state.users).find(({ bot }) => !bot);
    if (!someone) throw discordError('unknownUser');
    world.state.users[id] = { ...someone, id, username, globalName: username };
    world.save();
    return c.body(null, 204);
  });

  app.put(`${BASE}/channels/:channel/overwrite`, async (c) => {
    const channel = channelOf(c.req.param('channel'));
    const wanted = parseForm(overwriteForm, await jsonBody(c));
    const others = channel.overwrites.filter(({ id }) => id !== world.botId);
    channel.overwrites = [...others, { id: world.botId, type: OverwriteType.Member, ...wanted }];
    world.save();
    return c.json({ botPermissions: String(permissionsIn(world.state, channel, world.botId, world.now())) });
  });

  app.patch(`${BASE}/channels/:channel`, async (c) => {
    Object.assign(channelOf(c.req.param('channel')), parseForm(renameForm, await jsonBody(c)));
    world.save();
    return c.body(null, 204);
  });

  app.post(`${BASE}/guilds/:guild/channels`, async (c) => {
    const guild = guildOf(c.req.param('guild'));
    const { name, type = ChannelType.GuildText } = parseForm(renameForm, await jsonBody(c));
    const channel: StoredChannel = {
      id: world.nextId(),
      type,
      guildId: guild.id,
      parentId: null,
      name,
      topic: null,
      position: world.channelsOf(guild.id).length,
      overwrites: [],
      recipients: [],
    };
    world.state.channels[channel.id] = channel;
    world.save();
    return c.json({ id: channel.id }, 201);
  });

  // A thread started by a person.
  app.post(`${BASE}/channels/:channel/threads`, async (c) => {
    const parent = channelOf(c.req.param('channel'));
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
    const { thread, parentId } = channelOf(c.req.param('channel'));
    if (!thread) throw discordError('wrongChannelType');
    const { tags: names, ...change } = parseForm(threadForm, await jsonBody(c));
    Object.assign(thread, change);
    const known = world.channel(parentId ?? '')?.forum?.tags ?? [];
    if (names) thread.tags = known.filter(({ name }) => names.includes(name)).map(({ id }) => id);
    world.save();
    return c.body(null, 204);
  });

  app.put(`${BASE}/channels/:channel/forum`, async (c) => {
    const channel = channelOf(c.req.param('channel'));
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
    const { id, forum } = channelOf(c.req.param('channel'));
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

  app.delete(`${BASE}/messages/:channel/:message`, (c) => {
    const message = world.message(c.req.param('channel'), c.req.param('message'));
    if (!message) throw discordError('unknownMessage');
    world.removeMessage(message);
    return c.body(null, 204);
  });

  app.delete(`${BASE}/channels/:channel`, (c) => {
    const { id, thread, parentId } = channelOf(c.req.param('channel'));
    const starter = thread && parentId ? world.message(parentId, id) : undefined;
    if (starter) starter.flags &= ~MessageFlags.HasThread;
    delete world.state.channels[id];
    delete world.state.messages[id];
    world.save();
    return c.body(null, 204);
  });

  app.patch(`${BASE}/guilds/:guild`, async (c) => {
    guildOf(c.req.param('guild')).name = parseForm(renameForm, await jsonBody(c)).name;
    world.save();
    return c.body(null, 204);
  });

  app.put(`${BASE}/guilds/:guild/openness`, async (c) => {
    Object.assign(guildOf(c.req.param('guild')), parseForm(openForm, await jsonBody(c)));
    world.save();
    return c.body(null, 204);
  });

  app.put(`${BASE}/guilds/:guild/members/:user`, async (c) => {
    const guild = guildOf(c.req.param('guild'));
    const userId = c.req.param('user');
    const { roles } = parseForm(memberForm, await jsonBody(c));
    const ids = guild.roles.filter(({ name }) => roles.includes(name)).map(({ id }) => id);
    const joinedAt = world.now().toISOString();
    const known = guild.members.find((each) => each.userId === userId);
    if (known) known.roles = ids;
    else guild.members.push({ userId, roles: ids, joinedAt, timedOutUntil: null });
    world.save();
    return c.body(null, 204);
  });

  app.delete(`${BASE}/guilds/:guild/members/:user`, (c) => {
    const guild = guildOf(c.req.param('guild'));
    guild.members = guild.members.filter(({ userId }) => userId !== c.req.param('user'));
    world.save();
    return c.body(null, 204);
  });

  app.delete(`${BASE}/guilds/:guild/roles/:role`, (c) => {
    const guild = guildOf(c.req.param('guild'));
    const isKept = (id: string) => id !== c.req.param('role');
    guild.roles = guild.roles.filter(({ id }) => isKept(id));
    for (const member of guild.members) member.roles = member.roles.filter(isKept);
    world.save();
    return c.body(null, 204);
  });

  app.put(`${BASE}/guilds/:guild/bot`, async (c) => {
    const { permissions, scopes } = parseForm(installForm, await jsonBody(c));
    installBot(world, guildOf(c.req.param('guild')), BigInt(permissions), scopes);
    return c.body(null, 204);
  });

  app.delete(`${BASE}/guilds/:guild/bot`, (c) => {
    removeBot(world, guildOf(c.req.param('guild')));
    return c.body(null, 204);
  });

  app.put(`${BASE}/guilds/:guild/bot/timeout`, async (c) => {
    const { until } = parseForm(timeoutForm, await jsonBody(c));
    const bot = guildOf(c.req.param('guild')).members.find(({ userId }) => userId === world.botId);
    if (!bot) throw discordError('unknownMember');
    bot.timedOutUntil = until;
    world.save();
    return c.body(null, 204);
  });

  app.post(`${BASE}/deauthorize`, async (c) => {
    const person = findPerson(parseForm(eventForm, await jsonBody(c)).person);
    const user = world.user(person?.discordId ?? '');
    if (!user) throw discordError('unknownUser');
    world.state.authorizations = world.state.authorizations.filter(({ userId }) => userId !== user.id);
    world.persist();
    return c.json({
      status: (await sendEvent(world, 'APPLICATION_DEAUTHORIZED', { user: toUser(user) })) ?? null,
    });
  });
}
