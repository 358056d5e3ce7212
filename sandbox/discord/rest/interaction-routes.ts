import { MessageFlags } from 'discord-api-types/v10';
import type { Context, Hono } from 'hono';
import { discordError } from '../discord-error';
import { acknowledge } from '../interactions/acknowledge';
import { pingsOf, USERS_ONLY } from '../messages/mentions';
import { type MessageBody, parseMessage } from '../messages/message-schema';
import { editMessage, postMessage } from '../messages/post-message';
import type { StoredInteraction, StoredMessage } from '../state';
import type { World } from '../world';
import { jsonBody } from './access';
import type { Env } from './guard';
import { toMessage } from './to-api';

const TOKEN_LIFETIME_MS = 15 * 60_000;

/** The routes that need no bot token: the interaction's token is enough. */
export function interactionRoutes(api: Hono<Env>, world: World): void {
  api.post('/interactions/:interaction/:token/callback', async (c) => {
    const interaction = world.state.interactions.find((each) => each.id === c.req.param('interaction'));
    if (!interaction || interaction.token !== c.req.param('token')) throw discordError('unknownInteraction');
    acknowledge(world, interaction, await jsonBody(c));
    if (c.req.query('with_response') !== 'true') return c.body(null, 204);
    const message = world.message(interaction.channelId, interaction.originalId ?? '');
    return c.json({
      interaction: { id: interaction.id, type: interaction.type, response_message_id: message?.id ?? null },
      resource: { type: interaction.answer, ...(message && { message: toMessage(world, message) }) },
    });
  });

  api.post('/webhooks/:app/:token', async (c) => {
    const interaction = requireInteraction(world, c);
    const channel = world.channel(interaction.channelId);
    if (!channel) throw discordError('unknownChannel');
    const body = parseMessage(await jsonBody(c));
    const original = world.message(channel.id, interaction.originalId ?? '');
    if (original && isThinking(original)) return c.json(toMessage(world, finishEdit(world, original, body)));
    const ephemeral = Boolean(body.flags & MessageFlags.Ephemeral);
    return c.json(toMessage(world, postMessage(world, channel, body, { interaction, ephemeral })));
  });

  api.get('/webhooks/:app/:token/messages/:message', (c) => c.json(toMessage(world, requireOwn(world, c))));

  api.patch('/webhooks/:app/:token/messages/:message', async (c) => {
    const message = requireOwn(world, c);
    const isLayout = Boolean(message.flags & MessageFlags.IsComponentsV2);
    const body = parseMessage(await jsonBody(c), { isLayout });
    return c.json(toMessage(world, finishEdit(world, message, body)));
  });

  api.delete('/webhooks/:app/:token/messages/:message', (c) => {
    world.removeMessage(requireOwn(world, c));
    return c.body(null, 204);
  });
}

function requireInteraction(world: World, c: Context): StoredInteraction {
  const interaction = world.state.interactions.find((each) => each.token === c.req.param('token'));
  if (!interaction || c.req.param('app') !== world.applicationId) throw discordError('unknownWebhook');
  const age = world.now().getTime() - new Date(interaction.createdAt).getTime();
  if (age > TOKEN_LIFETIME_MS) throw discordError('invalidWebhookToken');
  if (interaction.status !== 'answered') throw discordError('unknownWebhook');
  return interaction;
}

/** The message that "@original" or an id means, if it belongs to this interaction. */
function requireOwn(world: World, c: Context): StoredMessage {
  const interaction = requireInteraction(world, c);
  const asked = c.req.param('message') ?? '';
  const message = world.message(
    interaction.channelId,
    asked === '@original' ? (interaction.originalId ?? '') : asked,
  );
  const isOwn =
    message && (message.id === interaction.originalId || message.interactionId === interaction.id);
  if (!message || !isOwn) throw discordError('unknownMessage');
  return message;
}

function isThinking(message: StoredMessage): boolean {
  return Boolean(message.flags & MessageFlags.Loading);
}

/** Edits a message. The first edit of a deferred reply is the reply itself, not a change of it. */
function finishEdit(world: World, message: StoredMessage, body: MessageBody): StoredMessage {
  const wasThinking = isThinking(message);
  editMessage(world, message, body);
  if (!wasThinking) return message;
  const channel = world.channel(message.channelId);
  message.flags &= ~MessageFlags.Loading;
  message.editedAt = null;
  message.edits = 0;
  if (channel) {
    const { authorId, content } = message;
    message.pings = pingsOf(world, channel, {
      authorId,
      content,
      allowed: body.allowedMentions ?? USERS_ONLY,
    });
  }
  world.save();
  return message;
}
