import type {
  APIEmbed,
  APIMessageTopLevelComponent,
  APIModalInteractionResponseCallbackData,
} from 'discord-api-types/v10';

// https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object
const PONG = 1;
const CHANNEL_MESSAGE = 4;
const DEFERRED_MESSAGE = 5;
const DEFERRED_UPDATE = 6;
const UPDATE_MESSAGE = 7;
const CHOICES = 8;
const MODAL = 9;
const EPHEMERAL = 1 << 6;

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
export const pong: Reply = { type: PONG };

/** A message in Discord's format. It mentions nobody. */
export function toMessage({ content, embeds = [], components = [] }: Answer) {
  return { content, embeds, components, allowed_mentions: { parse: [] } };
}

/** A reply that only the person who acted can see. */
export function privateReply(answer: string | Answer): Reply {
  const message = toMessage(typeof answer === 'string' ? { content: answer } : answer);
  return { type: CHANNEL_MESSAGE, data: { ...message, flags: EPHEMERAL } };
}

/** "Thinking" that only the person who acted can see, until a job fills it in. */
export const deferredReply: Reply = { type: DEFERRED_MESSAGE, data: { flags: EPHEMERAL } };

/** Leaves the message whose component was used as it is until a job changes it. */
export const deferredUpdate: Reply = { type: DEFERRED_UPDATE };

/** Changes the message whose component was used. */
export const update = (answer: Answer): Reply => ({ type: UPDATE_MESSAGE, data: toMessage(answer) });

/** Suggestions for an option: at most 25, with names of at most 100 characters. */
export const suggestions = (choices: { name: string; value: string }[]): Reply => ({
  type: CHOICES,
  data: { choices },
});

export const modal = (data: APIModalInteractionResponseCallbackData): Reply => ({ type: MODAL, data });
