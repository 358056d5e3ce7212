import { PermissionFlagsBits as Bit, MessageFlags, MessageType } from 'discord-api-types/v10';
import { discordError, formError } from '../discord-error';
import { may, permissionsIn } from '../permissions';
import type { Pings, StoredChannel, StoredInteraction, StoredMessage } from '../state';
import type { World } from '../world';
import { EVERYTHING, pingsOf, USERS_ONLY } from './mentions';
import { type MessageBody, requireSomething } from './message-schema';

const NONCE_MEMORY_MS = 5 * 60_000;
const CREATABLE_FLAGS =
  MessageFlags.SuppressEmbeds |
  MessageFlags.SuppressNotifications |
  MessageFlags.IsComponentsV2 |
  MessageFlags.Ephemeral;
// The types of messages that people and bots write; the others are Discord's own.
const WRITTEN: MessageType[] = [
  MessageType.Default,
  MessageType.Reply,
  MessageType.ChatInputCommand,
  MessageType.ContextMenuCommand,
];
const NOBODY: Pings = { users: [], roles: [], everyone: false };

interface Origin {
  /** Default: the bot. */
  authorId?: string;
  interaction?: StoredInteraction;
  ephemeral?: boolean;
  /** The first message of a post has the post's id. */
  id?: string;
}

/**
 * Posts a message into a channel. With `enforce_nonce`, if the same author recently sent a message with the same nonce,
 * returns that one instead of making a second; if it has been deleted since, makes none.
 */
export function postMessage(
  world: World,
  channel: StoredChannel,
  body: MessageBody,
  { authorId = world.botId, interaction, ephemeral = false, id }: Origin = {},
): StoredMessage {
  requireSomething(body);
  if (body.enforceNonce) {
    const earlier = findByNonce(world, world.messagesOf(channel.id), authorId, body.nonce);
    if (earlier) return earlier;
    if (findByNonce(world, world.deletedMessages, authorId, body.nonce)) throw discordError('unknownMessage');
  }
  const repliedTo = findReplied(world, channel, authorId, body);
  const content = body.content ?? '';
  const message: StoredMessage = {
    ...blankMessage(world, channel, authorId, interaction),
    ...(id && { id }),
    ...(repliedTo && { type: MessageType.Reply }),
    content,
    embeds: mayEmbed(world, channel, authorId) || interaction ? withType(body.embeds ?? []) : [],
    components: numbered(body.components ?? []),
    flags:
      (body.flags & CREATABLE_FLAGS & ~MessageFlags.Ephemeral) | (ephemeral ? MessageFlags.Ephemeral : 0),
    nonce: body.nonce,
    pings: pingsOf(world, channel, {
      authorId,
      content,
      allowed: body.allowedMentions ?? (interaction ? USERS_ONLY : EVERYTHING),
      repliedTo: repliedTo?.authorId,
    }),
    replyTo: repliedTo ? { channelId: channel.id, messageId: repliedTo.id } : null,
    ephemeralFor: ephemeral && interaction ? interaction.userId : null,
  };
  world.addMessage(message);
  return message;
}

/** Changes the fields that the body contains and leaves the rest. An edit notifies nobody. */
export function editMessage(world: World, message: StoredMessage, body: MessageBody): void {
  const next = {
    content: body.content ?? message.content,
    embeds: body.embeds ? withType(body.embeds) : message.embeds,
    components: body.components ? numbered(body.components) : message.components,
  };
  requireSomething(next);
  const channel = world.channel(message.channelId);
  const strips =
    body.embeds && channel && !message.interactionId && !mayEmbed(world, channel, message.authorId);
  Object.assign(message, next, strips ? { embeds: [] } : {});
  message.flags |= body.flags & (MessageFlags.SuppressEmbeds | MessageFlags.IsComponentsV2);
  message.editedAt = world.now().toISOString();
  message.edits += 1;
  message.version += 1;
  world.save();
}

/** Forwards a message as it is: the new one has no content of its own. */
export function forwardMessage(
  world: World,
  channel: StoredChannel,
  authorId: string,
  forwarded: StoredMessage,
): StoredMessage {
  const message = { ...blankMessage(world, channel, authorId), forwarded: structuredClone(forwarded) };
  world.addMessage(message);
  return message;
}

/** A message without content. */
export function blankMessage(
  world: World,
  channel: StoredChannel,
  authorId: string,
  interaction?: StoredInteraction,
): StoredMessage {
  return {
    id: world.nextId(),
    channelId: channel.id,
    authorId,
    type: interaction?.answerType ?? MessageType.Default,
    content: '',
    embeds: [],
    components: [],
    flags: 0,
    createdAt: world.now().toISOString(),
    editedAt: null,
    edits: 0,
    version: 0,
    nonce: null,
    pings: NOBODY,
    replyTo: null,
    ephemeralFor: null,
    interactionId: interaction?.id ?? null,
    interaction: interaction
      ? { id: interaction.id, type: interaction.type, userId: interaction.userId, name: interaction.name }
      : null,
  };
}

function mayEmbed(world: World, channel: StoredChannel, authorId: string): boolean {
  return may(permissionsIn(world.state, channel, authorId, world.now()), Bit.EmbedLinks);
}

function withType(embeds: MessageBody['embeds'] & object): StoredMessage['embeds'] {
  return embeds.map((embed) => ({ ...embed, type: 'rich' }) as StoredMessage['embeds'][number]);
}

/** Discord numbers components that have no id. */
function numbered(components: StoredMessage['components']): StoredMessage['components'] {
  let last = 0;
  return JSON.parse(JSON.stringify(components), (_key, value) => {
    if (typeof value !== 'object' || value === null || typeof value.type !== 'number') return value;
    last += 1;
    return { ...value, id: value.id || last };
  });
}

function findByNonce(
  world: World,
  messages: StoredMessage[],
  authorId: string,
  nonce: string | number | null,
) {
  if (nonce === null) return undefined;
  const since = world.now().getTime() - NONCE_MEMORY_MS;
  return messages.find(
    (each) =>
      each.authorId === authorId &&
      String(each.nonce) === String(nonce) &&
      new Date(each.createdAt).getTime() >= since,
  );
}

function findReplied(
  world: World,
  channel: StoredChannel,
  authorId: string,
  body: MessageBody,
): StoredMessage | undefined {
  if (!body.replyTo) return undefined;
  if (!may(permissionsIn(world.state, channel, authorId, world.now()), Bit.ReadMessageHistory))
    throw discordError('noHistoryToReply');
  const found = world.message(channel.id, body.replyTo.messageId);
  if (!found && body.replyTo.required) {
    throw formError(['message_reference'], 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
  }
  if (found && !WRITTEN.includes(found.type)) {
    const code = 'REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE';
    throw formError(['message_reference'], code, 'Cannot reply to a system message');
  }
  return found;
}
