import { ChannelType, MessageFlags, OverwriteType } from 'discord-api-types/v10';
import type { Hono } from 'hono';
import { z } from 'zod';
import { parseForm } from '../form';
import { permissionsIn } from '../permissions';
import { jsonBody } from '../rest/access';
import type { Env } from '../rest/guard';
import type { StoredChannel } from '../state';
import type { World } from '../world';
import { BASE, bits, channelOf, guildOf } from './control-base';

const overwriteForm = z.object({ allow: bits, deny: bits });
const renameForm = z.object({ name: z.string().min(1).max(100), type: z.enum(ChannelType).optional() });

/** Channels. */
export function channelControls(app: Hono<Env>, world: World): void {
  app.put(`${BASE}/channels/:channel/overwrite`, async (c) => {
    const channel = channelOf(world, c.req.param('channel'));
    const wanted = parseForm(overwriteForm, await jsonBody(c));
    const others = channel.overwrites.filter(({ id }) => id !== world.botId);
    channel.overwrites = [...others, { id: world.botId, type: OverwriteType.Member, ...wanted }];
    world.save();
    return c.json({ botPermissions: String(permissionsIn(world.state, channel, world.botId, world.now())) });
  });

  app.patch(`${BASE}/channels/:channel`, async (c) => {
    Object.assign(channelOf(world, c.req.param('channel')), parseForm(renameForm, await jsonBody(c)));
    world.save();
    return c.body(null, 204);
  });

  app.post(`${BASE}/guilds/:guild/channels`, async (c) => {
    const guild = guildOf(world, c.req.param('guild'));
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

  app.delete(`${BASE}/channels/:channel`, (c) => {
    const { id, thread, parentId } = channelOf(world, c.req.param('channel'));
    const starter = thread && parentId ? world.message(parentId, id) : undefined;
    if (starter) starter.flags &= ~MessageFlags.HasThread;
    delete world.state.channels[id];
    delete world.state.messages[id];
    world.save();
    return c.body(null, 204);
  });
}
