import {
  InteractionResponseType as Answer,
  MessageFlags,
  InteractionType as Type,
} from 'discord-api-types/v10';
import { z } from 'zod';
import { discordError, formError } from '../discord-error';
import { parseForm } from '../form';
import { parseMessage } from '../messages/message-schema';
import { blankMessage, editMessage, postMessage } from '../messages/post-message';
import type { StoredChannel, StoredInteraction } from '../state';
import type { World } from '../world';
import { modalSchema } from './modal-schema';

const MESSAGES = [Answer.ChannelMessageWithSource, Answer.DeferredChannelMessageWithSource];
const UPDATES = [Answer.DeferredMessageUpdate, Answer.UpdateMessage];

const answerSchema = z.object({ type: z.number().int(), data: z.unknown().optional() });
const deferredSchema = z.object({ flags: z.number().int().nullish() }).nullish();
const choicesSchema = z.object({
  choices: z
    .array(z.object({ name: z.string().min(1).max(100), value: z.union([z.string().max(100), z.number()]) }))
    .max(25),
});

/** Applies the one response that an interaction may get. Throws Discord's error when it is not allowed or malformed. */
export function acknowledge(world: World, interaction: StoredInteraction, body: unknown): void {
  if (interaction.status === 'answered') throw discordError('alreadyAcknowledged');
  if (interaction.status === 'failed') throw discordError('unknownInteraction');
  const channel = world.channel(interaction.channelId);
  if (!channel) throw discordError('unknownInteraction');
  const answer = parseForm(answerSchema, body);
  const { type } = answer;
  if (!allowedFor(interaction).includes(type)) {
    throw formError(
      ['type'],
      'INTERACTION_RESPONSE_TYPE_INVALID',
      `Type ${type} cannot answer this interaction.`,
    );
  }
  carryOut(world, interaction, channel, answer);
  interaction.status = 'answered';
  interaction.answer = type;
  world.save();
  world.waiting.get(interaction.id)?.();
}

function allowedFor({ type, sourceId }: StoredInteraction): Answer[] {
  if (type === Type.ApplicationCommandAutocomplete) return [Answer.ApplicationCommandAutocompleteResult];
  if (type === Type.ApplicationCommand) return [...MESSAGES, Answer.Modal];
  if (type === Type.MessageComponent) return [...MESSAGES, ...UPDATES, Answer.Modal];
  if (type === Type.ModalSubmit) return sourceId ? [...MESSAGES, ...UPDATES] : MESSAGES;
  return [];
}

function carryOut(
  world: World,
  interaction: StoredInteraction,
  channel: StoredChannel,
  { type, data }: z.infer<typeof answerSchema>,
): void {
  if (type === Answer.ApplicationCommandAutocompleteResult) {
    interaction.choices = parseForm(choicesSchema, data).choices;
  } else if (type === Answer.Modal) {
    interaction.modal = parseForm(modalSchema, data) as StoredInteraction['modal'];
  } else if (type === Answer.ChannelMessageWithSource) {
    const body = parseMessage(data);
    const ephemeral = Boolean(body.flags & MessageFlags.Ephemeral);
    interaction.originalId = postMessage(world, channel, body, { interaction, ephemeral }).id;
  } else if (type === Answer.DeferredChannelMessageWithSource) {
    interaction.originalId = think(world, interaction, channel, parseForm(deferredSchema, data)?.flags ?? 0);
  } else {
    interaction.originalId = interaction.sourceId;
    const source = world.message(channel.id, interaction.sourceId ?? '');
    if (type !== Answer.UpdateMessage) return;
    if (!source) throw discordError('unknownMessage');
    const isLayout = Boolean(source.flags & MessageFlags.IsComponentsV2);
    editMessage(world, source, parseMessage(data ?? {}, { isLayout }));
  }
}

/** Posts the message that says the application is thinking. */
function think(world: World, interaction: StoredInteraction, channel: StoredChannel, flags: number): string {
  if (flags & ~MessageFlags.Ephemeral) {
    throw formError(
      ['data', 'flags'],
      'MESSAGE_FLAGS_INVALID',
      'Only EPHEMERAL can be set on a deferred answer.',
    );
  }
  const message = blankMessage(world, channel, world.botId, interaction);
  message.flags = MessageFlags.Loading | flags;
  message.ephemeralFor = flags & MessageFlags.Ephemeral ? interaction.userId : null;
  world.addMessage(message);
  return message.id;
}
