import { MessageType } from 'discord-api-types/v10';
import type { Hono } from 'hono';
import { z } from 'zod';
import { discordError } from '../discord-error';
import { parseForm } from '../form';
import { blankMessage } from '../messages/post-message';
import { findPerson } from '../oauth/signed-in';
import { jsonBody } from '../rest/access';
import type { Env } from '../rest/guard';
import type { World } from '../world';
import { BASE, channelOf } from './control-base';

const ageForm = z.object({ minutes: z.number().int().min(1) });
const eventForm = z.object({ person: z.enum(['mira', 'jonas', 'vera']) });

/** Messages in channels and direct messages. */
export function messageControls(app: Hono<Env>, world: World): void {
  app.get(`${BASE}/channels/:channel/messages`, (c) =>
    c.json({
      messages: world.messagesOf(channelOf(world, c.req.param('channel')).id).map((message) => ({
        ...message,
        author: world.user(message.authorId)?.username ?? null,
      })),
    }),
  );

  // Discord's own message that a person has joined.
  app.post(`${BASE}/channels/:channel/join-message`, async (c) => {
    const channel = channelOf(world, c.req.param('channel'));
    const author = world.user(findPerson(parseForm(eventForm, await jsonBody(c)).person)?.discordId ?? '');
    if (!author) throw discordError('unknownUser');
    const message = { ...blankMessage(world, channel, author.id), type: MessageType.UserJoin };
    world.addMessage(message);
    return c.json({ id: message.id }, 201);
  });

  // Makes the messages of a channel older.
  app.post(`${BASE}/channels/:channel/age`, async (c) => {
    const { id } = channelOf(world, c.req.param('channel'));
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

  app.delete(`${BASE}/messages/:channel/:message`, (c) => {
    const message = world.message(c.req.param('channel'), c.req.param('message'));
    if (!message) throw discordError('unknownMessage');
    world.removeMessage(message);
    return c.body(null, 204);
  });
}
