import { ChannelType } from 'discord-api-types/v10';
import type { Hono } from 'hono';
import { z } from 'zod';
import { discordError, formError } from '../discord-error';
import { parseForm } from '../form';
import { bearerOf } from '../oauth/bearer';
import type { StoredChannel } from '../state';
import type { World } from '../world';
import { jsonBody, requireBot } from './access';
import type { Env } from './guard';
import { toChannel, toUser } from './to-api';

const recipientSchema = z.object({ recipient_id: z.string() });

export function userRoutes(api: Hono<Env>, world: World): void {
  api.get('/users/@me', (c) => {
    const bearer = bearerOf(world, c);
    const user = world.user(bearer ? bearer.userId : world.botId);
    if (!bearer) requireBot(world, c);
    if (bearer && !bearer.scopes.includes('identify')) throw discordError('missingAccess');
    if (!user) throw discordError('unauthorized');
    return c.json({
      ...toUser(user),
      locale: user.locale,
      mfa_enabled: user.bot,
      premium_type: 0,
      ...(bearer?.scopes.includes('email') && { email: user.email, verified: true }),
      ...(!bearer && { email: null, verified: true }),
    });
  });

  api.post('/users/@me/channels', async (c) => {
    requireBot(world, c);
    const { recipient_id: recipient } = parseForm(recipientSchema, await jsonBody(c));
    const user = world.user(recipient);
    if (!user) throw formError(['recipient_id'], 'USER_ID_INVALID', `User "${recipient}" is not known.`);
    if (user.bot) throw discordError('cannotMessageUser');
    if (world.state.hasTooManyConversations) throw discordError('opensTooFast');
    requirePace(world, recipient);
    return c.json(toChannel(world, directMessage(world, recipient)));
  });
}

// Discord has quarantined bots after some 25 to 40 new conversations in a burst.
const BURST = 25;
const BURST_MS = 60_000;

/** Refuses a burst of new conversations, as Discord does without a documented number. */
function requirePace(world: World, recipient: string): void {
  if (findDirect(world, recipient)) return;
  const now = world.now().getTime();
  const lately = (world.state.conversationsOpenedAt ?? []).filter((at) => at > now - BURST_MS);
  if (lately.length >= BURST) throw discordError('opensTooFast');
  world.state.conversationsOpenedAt = [...lately, now];
}

const findDirect = (world: World, userId: string): StoredChannel | undefined =>
  Object.values(world.state.channels).find((each) => !each.guildId && each.recipients.includes(userId));

/** The one direct message channel between the bot and a person, created by the first call. */
function directMessage(world: World, userId: string): StoredChannel {
  const known = findDirect(world, userId);
  if (known) return known;
  const channel: StoredChannel = {
    id: world.nextId(),
    type: ChannelType.DM,
    guildId: null,
    parentId: null,
    name: '',
    topic: null,
    position: 0,
    overwrites: [],
    recipients: [world.botId, userId],
  };
  world.state.channels[channel.id] = channel;
  world.save();
  return channel;
}
