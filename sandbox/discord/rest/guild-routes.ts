import type { Hono } from 'hono';
import { z } from 'zod';
import { pictureHash } from '../cdn-routes';
import { discordError } from '../discord-error';
import { parseForm } from '../form';
import { removeBot } from '../oauth/install';
import { serverPermissions } from '../permissions';
import type { StoredChannel } from '../state';
import type { World } from '../world';
import { isViewable, requireBot, requireGuild } from './access';
import type { Env } from './guard';
import { toChannel, toGuild, toMember, toRole } from './to-api';

const SNOWFLAKE = /^\d{1,20}$/;

const pageSchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(200),
  before: z.string().regex(SNOWFLAKE).optional(),
  after: z.string().regex(SNOWFLAKE).optional(),
});

export function guildRoutes(api: Hono<Env>, world: World): void {
  api.get('/users/@me/guilds', (c) => {
    requireBot(world, c);
    const { limit, before, after } = parseForm(pageSchema, c.req.query());
    const mine = Object.values(world.state.guilds)
      .filter((guild) => world.isBotIn(guild.id))
      .filter(({ id }) => (!after || BigInt(id) > BigInt(after)) && (!before || BigInt(id) < BigInt(before)))
      .sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
    const page = before && !after ? mine.slice(-limit) : mine.slice(0, limit);
    return c.json(
      page.map((guild) => ({
        id: guild.id,
        name: guild.name,
        icon: pictureHash(guild.id),
        banner: null,
        owner: guild.ownerId === world.botId,
        permissions: String(serverPermissions(guild, world.botId)),
        features: [],
      })),
    );
  });

  api.delete('/users/@me/guilds/:guild', (c) => {
    requireBot(world, c);
    const guild = world.guild(c.req.param('guild'));
    if (!guild || !world.isBotIn(guild.id)) throw discordError('unknownGuild');
    removeBot(world, guild);
    return c.body(null, 204);
  });

  api.get('/guilds/:guild', (c) => {
    requireBot(world, c);
    const guild = world.guild(c.req.param('guild'));
    if (!guild || !world.isBotIn(guild.id)) throw discordError('unknownGuild');
    return c.json(toGuild(world, guild));
  });

  api.get('/guilds/:guild/roles', (c) => {
    requireBot(world, c);
    return c.json(requireGuild(world, c.req.param('guild')).roles.map((role) => toRole(world, role)));
  });

  api.get('/guilds/:guild/members/:user', (c) => {
    requireBot(world, c);
    const guild = requireGuild(world, c.req.param('guild'));
    const member = guild.members.find((each) => each.userId === c.req.param('user'));
    if (member) return c.json(toMember(world, member));
    throw discordError(world.user(c.req.param('user')) ? 'unknownMember' : 'unknownUser');
  });

  api.get('/guilds/:guild/channels', (c) => {
    requireBot(world, c);
    const guild = requireGuild(world, c.req.param('guild'));
    const visible = world.channelsOf(guild.id).filter((channel) => isViewable(world, channel, world.botId));
    return c.json(unsorted(visible).map((channel) => toChannel(world, channel)));
  });

  api.get('/guilds/:guild/threads/active', (c) => {
    requireBot(world, c);
    const guild = requireGuild(world, c.req.param('guild'));
    const threads = world.activeThreads(guild.id).filter((each) => isViewable(world, each, world.botId));
    const joined = threads.filter(({ thread }) => thread?.hasBot);
    return c.json({
      threads: threads.map((thread) => toChannel(world, thread)),
      members: joined.map(({ id }) => ({ id, user_id: world.botId, flags: 0 })),
    });
  });
}

/** Discord promises no order, so the stand-in deliberately returns one that is not the sidebar's. */
function unsorted(channels: StoredChannel[]): StoredChannel[] {
  const key = ({ id }: StoredChannel) => [...id].reverse().join('');
  return [...channels].sort((one, other) => key(other).localeCompare(key(one)));
}
