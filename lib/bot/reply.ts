import {
  type APIEmbed,
  type APIMessageTopLevelComponent,
  type APIModalInteractionResponseCallbackData,
  InteractionResponseType,
  MessageFlags,
} from 'discord-api-types/v10';

/** The parts of a message. When it updates a message, nothing of the earlier content remains. */
export interface Answer {
  content: string;
  embeds?: APIEmbed[];
  components?: APIMessageTopLevelComponent[];
}

export interface Reply {
  type: number;
  data?: unknown;
}

/** The answer to Discord's own check of the door. */
export const pong: Reply = { type: InteractionResponseType.Pong };

/** A message in Discord's format. It mentions nobody. */
export function toMessage({ content, embeds = [], components = [] }: Answer) {
  return { content, embeds, components, allowed_mentions: { parse: [] } };
}

/** A reply that only the person who acted can see. */
export function privateReply(answer: string | Answer): Reply {
  const message = toMessage(typeof answer === 'string' ? { content: answer } : answer);
  return {
    type: InteractionResponseType.ChannelMessageWithSource,
    data: { ...message, flags: MessageFlags.Ephemeral },
  };
}

/** "Thinking" that only the person who acted can see, until a job fills it in. */
export const deferredReply: Reply = {
  type: InteractionResponseType.DeferredChannelMessageWithSource,
  data: { flags: MessageFlags.Ephemeral },
};

/** Leaves the message whose component was used as it is until a job changes it. */
export const deferredUpdate: Reply = { type: InteractionResponseType.DeferredMessageUpdate };

/** Changes the message whose component was used. */
export const update = (answer: Answer): Reply => ({
  type: InteractionResponseType.UpdateMessage,
  data: toMessage(answer),
});

/** Suggestions for an option: at most 25, with names of at most 100 characters. */
export const suggestions = (choices: { name: string; value: string }[]): Reply => ({
  type: InteractionResponseType.ApplicationCommandAutocompleteResult,
  data: { choices },
});

export const modal = (data: APIModalInteractionResponseCallbackData): Reply => ({
  type: InteractionResponseType.Modal,
  data,
});
