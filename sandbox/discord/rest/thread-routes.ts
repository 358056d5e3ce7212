import { PermissionFlagsBits as Bit, ChannelType, MessageFlags } from 'discord-api-types/v10';
import type { Hono } from 'hono';
import { z } from 'zod';
import { discordError } from '../discord-error';
import { parseForm } from '../form';
import type { StoredChannel } from '../state';
import type { World } from '../world';
import { jsonBody, requireBot, requireChannel, requireMessage, requirePermission } from './access';
import type { Env } from './guard';
import { toChannel } from './to-api';

const MOST_THREADS = 1000;
const DURATIONS = [60, 1440, 4320, 10080];

const threadSchema = z.object({
  name: z.string().trim().min(1).max(100),
  auto_archive_duration: z
    .number()
    .refine((minutes) => DURATIONS.includes(minutes))
    .nullish(),
  rate_limit_per_user: z.number().int().min(0).max(21_600).nullish(),
});

const changeSchema = z.object({
  name: z.string().trim().min(1).max(100).optional(),
  archived: z.boolean().optional(),
  locked: z.boolean().optional(),
});

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
    const thread: StoredChannel = {
      id: message.id,
      type,
      guildId: channel.guildId,
      parentId: channel.id,
      name,
      topic: null,
      position: 0,
      overwrites: [],
      recipients: [],
      thread: { isArchived: false, isLocked: false },
    };
    world.state.channels[thread.id] = thread;
    message.flags |= MessageFlags.HasThread;
    message.version += 1;
    world.save();
    return c.json(toChannel(world, thread), 201);
  });

  api.patch('/channels/:channel', async (c) => {
    requireBot(world, c);
    const channel = requireChannel(world, c.req.param('channel'));
    if (!channel.thread) throw discordError('missingPermissions');
    const change = parseForm(changeSchema, await jsonBody(c));
    if (channel.thread.isLocked || change.locked !== undefined) {
      requirePermission(world, channel, Bit.ManageThreads);
    }
    requirePermission(world, channel, Bit.SendMessagesInThreads);
    if (change.archived === false && channel.thread.isArchived) requireRoom(world, channel);
    if (change.name !== undefined) channel.name = change.name;
    if (change.archived !== undefined) channel.thread.isArchived = change.archived;
    if (change.locked !== undefined) channel.thread.isLocked = change.locked;
    world.save();
    return c.json(toChannel(world, channel));
  });
}

function typeWithin(channel: StoredChannel): ChannelType {
  if (channel.type === ChannelType.GuildText) return ChannelType.PublicThread;
  if (channel.type === ChannelType.GuildAnnouncement) return ChannelType.AnnouncementThread;
  throw discordError('wrongChannelType');
}

function requireRoom(world: World, { guildId }: StoredChannel): void {
  const most = world.state.mostThreads ?? MOST_THREADS;
  if (world.activeThreads(guildId ?? '').length >= most) throw discordError('tooManyThreads');
}
