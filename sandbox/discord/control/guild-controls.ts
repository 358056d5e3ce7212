import type { Hono } from 'hono';
import { z } from 'zod';
import { discordError } from '../discord-error';
import { parseForm } from '../form';
import { installBot, removeBot } from '../oauth/install';
import { permissionsIn } from '../permissions';
import { jsonBody } from '../rest/access';
import type { Env } from '../rest/guard';
import type { World } from '../world';
import { BASE, bits, guildOf } from './control-base';

const renameForm = z.object({ name: z.string().min(1).max(100) });
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
const timeoutForm = z.object({ until: z.iso.datetime().nullable() });

/** Servers: their members, their roles and the bot in them. */
export function guildControls(app: Hono<Env>, world: World): void {
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

  app.patch(`${BASE}/guilds/:guild`, async (c) => {
    guildOf(world, c.req.param('guild')).name = parseForm(renameForm, await jsonBody(c)).name;
    world.save();
    return c.body(null, 204);
  });

  app.put(`${BASE}/guilds/:guild/openness`, async (c) => {
    Object.assign(guildOf(world, c.req.param('guild')), parseForm(openForm, await jsonBody(c)));
    world.save();
    return c.body(null, 204);
  });

  app.put(`${BASE}/guilds/:guild/members/:user`, async (c) => {
    const guild = guildOf(world, c.req.param('guild'));
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
    const guild = guildOf(world, c.req.param('guild'));
    guild.members = guild.members.filter(({ userId }) => userId !== c.req.param('user'));
    world.save();
    return c.body(null, 204);
  });

  app.delete(`${BASE}/guilds/:guild/roles/:role`, (c) => {
    const guild = guildOf(world, c.req.param('guild'));
    const isKept = (id: string) => id !== c.req.param('role');
    guild.roles = guild.roles.filter(({ id }) => isKept(id));
    for (const member of guild.members) member.roles = member.roles.filter(isKept);
    world.save();
    return c.body(null, 204);
  });

  app.put(`${BASE}/guilds/:guild/bot`, async (c) => {
    const { permissions, scopes } = parseForm(installForm, await jsonBody(c));
    installBot(world, guildOf(world, c.req.param('guild')), BigInt(permissions), scopes);
    return c.body(null, 204);
  });

  app.delete(`${BASE}/guilds/:guild/bot`, (c) => {
    removeBot(world, guildOf(world, c.req.param('guild')));
    return c.body(null, 204);
  });

  app.put(`${BASE}/guilds/:guild/bot/timeout`, async (c) => {
    const { until } = parseForm(timeoutForm, await jsonBody(c));
    const bot = guildOf(world, c.req.param('guild')).members.find(({ userId }) => userId === world.botId);
    if (!bot) throw discordError('unknownMember');
    bot.timedOutUntil = until;
    world.save();
    return c.body(null, 204);
  });
}
