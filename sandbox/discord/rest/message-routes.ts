import {
  type APIMessage,
  PermissionFlagsBits as Bit,
  ChannelType,
  MessageFlags,
} from 'discord-api-types/v10';
import type { Hono } from 'hono';
import { z } from 'zod';
import { discordError, TooManyOldEdits } from '../discord-error';
import { parseForm } from '../form';
import { parseMessage } from '../messages/message-schema';
import { editMessage, postMessage } from '../messages/post-message';
import { may, permissionsIn } from '../permissions';
import type { Bucket } from '../rate-limiter';
import type { StoredChannel, StoredMessage } from '../state';
import type { World } from '../world';
import { jsonBody, requireBot, requireChannel, requireMessage, requirePermission } from './access';
import type { Env } from './guard';
import { toChannel, toMessage } from './to-api';

const SNOWFLAKE = /^\d{1,20}$/;
const WITHOUT_MESSAGES = [ChannelType.GuildCategory, ChannelType.GuildForum, ChannelType.GuildMedia];

const pageSchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  before: z.string().regex(SNOWFLAKE).optional(),
  after: z.string().regex(SNOWFLAKE).optional(),
});

export function messageRoutes(api: Hono<Env>, world: World): void {
  api.get('/channels/:channel', (c) => {
    requireBot(world, c);
    return c.json(toChannel(world, requireChannel(world, c.req.param('channel'))));
  });

  api.get('/channels/:channel/messages', (c) => {
    requireBot(world, c);
    const channel = requireChannel(world, c.req.param('channel'));
    requireText(channel);
    const { limit, before, after } = parseForm(pageSchema, c.req.query());
    if (!may(permissionsIn(world.state, channel, world.botId, world.now()), Bit.ReadMessageHistory))
      return c.json([]);
    const all = world
      .messagesOf(channel.id)
      .filter((each) => !each.ephemeralFor)
      .filter(
        (each) =>
          (!before || BigInt(each.id) < BigInt(before)) && (!after || BigInt(each.id) > BigInt(after)),
      );
    const page = after ? all.slice(0, limit) : all.slice(-limit);
    return c.json(page.reverse().map((each) => asRead(world, channel, each)));
  });

  api.get('/channels/:channel/messages/:message', (c) => {
    requireBot(world, c);
    const channel = requireChannel(world, c.req.param('channel'));
    requirePermission(world, channel, Bit.ReadMessageHistory);
    return c.json(asRead(world, channel, requireMessage(world, channel, c.req.param('message'))));
  });

  api.post('/channels/:channel/messages', async (c) => {
    requireBot(world, c);
    const channel = requireChannel(world, c.req.param('channel'));
    requireText(channel);
    requirePermission(world, channel, channel.thread ? Bit.SendMessagesInThreads : Bit.SendMessages);
    requireUnlocked(world, channel);
    if (!channel.guildId) requireReach(world, channel);
    const body = parseMessage(await jsonBody(c));
    const message = postMessage(world, channel, body);
    // Posting in an archived thread reopens it.
    if (channel.thread) channel.thread.isArchived = false;
    // Only the response to the author contains the nonce: Discord does not store it with the message.
    return c.json({ ...toMessage(world, message), ...(message.nonce !== null && { nonce: message.nonce }) });
  });

  api.patch('/channels/:channel/messages/:message', async (c) => {
    requireBot(world, c);
    const channel = requireChannel(world, c.req.param('channel'));
    const message = requireMessage(world, channel, c.req.param('message'));
    if (message.authorId !== world.botId) throw discordError('notTheAuthor');
    if (channel.thread?.isArchived) throw discordError('threadArchived');
    requireOldEdit(world, message);
    const isLayout = Boolean(message.flags & MessageFlags.IsComponentsV2);
    editMessage(world, message, parseMessage(await jsonBody(c), { isLayout }));
    return c.json(toMessage(world, message));
  });

  api.delete('/channels/:channel/messages/:message', (c) => {
    requireBot(world, c);
    const channel = requireChannel(world, c.req.param('channel'));
    const message = requireMessage(world, channel, c.req.param('message'));
    if (message.authorId !== world.botId) {
      if (!channel.guildId) throw discordError('notOnDirectMessage');
      requirePermission(world, channel, Bit.ManageMessages);
    }
    world.removeMessage(message);
    return c.body(null, 204);
  });
}

/**
 * A message as the bot reads it: without the Message Content intent, a message in a server that is neither its own nor
 * pings it arrives empty.
 */
function asRead(world: World, channel: StoredChannel, message: StoredMessage): APIMessage {
  const shown = toMessage(world, message);
  const isForBot = message.authorId === world.botId || message.pings.users.includes(world.botId);
  if (isForBot || !channel.guildId) return shown;
  return { ...shown, content: '', embeds: [], attachments: [], components: [] };
}

const OLD_MS = 3_600_000;
const OLD_EDITS: Bucket = { name: 'old edits', limit: 3, windowMs: 6000 };

/** Messages older than an hour have a limit of their own in each channel, which the headers do not show. */
function requireOldEdit(world: World, { channelId, createdAt }: StoredMessage): void {
  if (world.state.limits === 'off' || world.now().getTime() - Date.parse(createdAt) < OLD_MS) return;
  const { allowed, resetAfterSeconds } = world.limiter.take(OLD_EDITS, channelId);
  if (!allowed) throw new TooManyOldEdits(resetAfterSeconds);
}

function requireUnlocked(world: World, channel: StoredChannel): void {
  if (!channel.thread?.isLocked) return;
  const bits = permissionsIn(world.state, channel, world.botId, world.now());
  if (channel.thread.isArchived || !may(bits, Bit.ManageThreads)) throw discordError('threadLocked');
}

function requireText(channel: StoredChannel): void {
  if (WITHOUT_MESSAGES.includes(channel.type)) throw discordError('notText');
}

/** A person who shares no server with the bot, or has closed their inbox, gets no direct messages. */
function requireReach(world: World, channel: StoredChannel): void {
  if (!sharesServer(world, channel)) throw discordError('noMutualGuild');
  const closed = world.state.closedInboxes ?? [];
  if (channel.recipients.some((id) => closed.includes(id))) throw discordError('cannotMessageUser');
}

function sharesServer(world: World, channel: StoredChannel): boolean {
  return Object.values(world.state.guilds).some((guild) =>
    channel.recipients.every((id) => guild.members.some((member) => member.userId === id)),
  );
}
