import { z } from 'zod';
import { MAX_ENTRIES } from '@/lib/features/cards/menus';
import { maybe, saidSchema, sayingOf, userSchema } from './saying';

const optionSchema = z.object({
  name: z.string(),
  type: z.number(),
  value: maybe(z.union([z.string(), z.number(), z.boolean()])),
  focused: maybe(z.boolean()),
  get options() {
    return z.array(optionSchema).optional();
  },
});

const fieldSchema = z.object({
  custom_id: maybe(z.string()),
  value: maybe(z.string()),
  values: maybe(z.array(z.string())),
});

/** A component of a modal: a label around its field, or the older row of fields. */
const partSchema = z.object({
  component: maybe(fieldSchema),
  components: maybe(z.array(fieldSchema)),
});

const messageSchema = saidSchema.extend({
  id: z.string(),
  author: maybe(z.object({ id: z.string() })),
  /** What a forwarded message says; its own content is empty. */
  message_snapshots: z.array(z.object({ message: saidSchema })).catch([]),
});

/** The fields of an interaction that the bot reads. */
export const interactionSchema = z.object({
  id: z.string(),
  type: z.number(),
  token: z.string().catch(''),
  guild_id: maybe(z.string()),
  channel: maybe(z.object({ id: z.string() })),
  channel_id: maybe(z.string()),
  member: maybe(z.object({ user: userSchema, nick: z.string().nullish() })),
  user: maybe(userSchema),
  message: maybe(z.object({ id: z.string() })),
  data: maybe(
    z.object({
      name: maybe(z.string()),
      options: maybe(z.array(optionSchema)),
      target_id: maybe(z.string()),
      resolved: maybe(z.object({ messages: maybe(z.record(z.string(), messageSchema)) })),
      custom_id: maybe(z.string()),
      values: maybe(z.array(z.string()).max(MAX_ENTRIES)),
      components: maybe(z.array(partSchema)),
    }),
  ),
});

export type Interaction = z.infer<typeof interactionSchema>;

/** Who did something, and where. */
export interface Call {
  id: string;
  token: string;
  guildId: string;
  channelId: string;
  userId: string;
  user: { id: string; username: string; displayName: string | null; avatar: string | null };
}

/** A command with its options. */
export interface CommandCall extends Call {
  options: Map<string, string>;
}

/** An option that is being typed. */
export interface AutocompleteCall extends Call {
  typed: string;
}

/** An entry of a message's menu. */
export interface MessageCall extends Call {
  message: { id: string; content: string; authorId: string | null };
}

/** A button or a menu: the parts of its custom id after the name, and what was chosen. */
export interface ComponentCall extends Call {
  args: string[];
  values: string[];
  messageId: string | null;
}

/** A submitted modal. */
export interface ModalCall extends Call {
  args: string[];
  fields: Fields;
  /** The message whose button opened it; null for a command. */
  messageId: string | null;
}

/** What was entered into each field. */
export type Fields = Map<string, string[]>;

/** Who called and where; null outside a server. */
export function toCall({ id, token, guild_id, channel, channel_id, member }: Interaction): Call | null {
  if (!guild_id || !member) return null;
  const user = toUser(member.user, member.nick);
  const channelId = channel?.id ?? channel_id ?? '';
  return { id, token, guildId: guild_id, channelId, userId: user.id, user };
}

function toUser(
  { id, username, global_name, avatar = null }: z.infer<typeof userSchema>,
  nick?: string | null,
) {
  return { id, username, displayName: nick ?? global_name ?? null, avatar };
}

/** A button that also exists in direct messages: who pressed it, and the parts of its custom id after the name. */
export interface DirectCall extends Omit<Call, 'guildId'> {
  /** Null in a direct message. */
  guildId: string | null;
  args: string[];
  /** The message in a channel whose button was pressed; null in a direct message. */
  messageId: string | null;
  /** The direct message whose button was pressed; absent in a channel. */
  directMessageId?: string | undefined;
}

/** A modal that such a button opened. */
export interface DirectModalCall extends DirectCall {
  fields: Fields;
}

/** A call of such a button as made in the member's server, wherever the button is. */
export const inServerOf = (call: DirectCall, { guildId }: { guildId: string }) => ({
  ...call,
  guildId,
  isDirect: call.guildId === null,
});

/** A call in a direct message; null when it names no person. */
export function toDirectCall(interaction: Interaction): DirectCall | null {
  const { id, token, user, channel, channel_id, message } = interaction;
  if (!user) return null;
  const channelId = channel?.id ?? channel_id ?? '';
  const { args } = toCustomId(interaction);
  const by = { userId: user.id, user: toUser(user), guildId: null };
  return { id, token, channelId, ...by, args, messageId: null, directMessageId: message?.id };
}

/** The one command; what it does are its subcommands. */
export const COMMAND_NAME = 'notion';

/**
 * The subcommand of /notion with its options, and what is being typed into one; undefined if nothing is. Any other
 * command, such as one that was registered by hand, has an empty name.
 */
export function toCommand({ data }: Interaction) {
  const [subcommand] = data?.name === COMMAND_NAME ? (data.options ?? []) : [];
  const options = subcommand?.options ?? [];
  const focused = options.find((option) => option.focused);
  return {
    name: subcommand?.name ?? '',
    options: new Map(options.map(({ name, value }) => [name, String(value ?? '')])),
    typed: focused && String(focused.value ?? ''),
  };
}

/**
 * The message whose menu was used, with people and emoji by name; null for any other interaction. A message without
 * content of its own says what its layout, its poll or the message that it forwards says, or what its first embed shows.
 */
export function toTarget({ data }: Interaction): MessageCall['message'] | null {
  const message = data?.resolved?.messages?.[data.target_id ?? ''];
  if (!message) return null;
  const { id, author, message_snapshots } = message;
  const all = [message, ...message_snapshots.map((forwarded) => forwarded.message)];
  const [embed] = all.flatMap(({ embeds }) => embeds);
  const shown = [embed?.title, embed?.description].filter(Boolean).join('\n');
  const content = all.map(sayingOf).find((text) => text.trim()) ?? shown;
  return { id, content, authorId: author?.id ?? null };
}

/** The name at the start of a custom id, and its arguments. Anybody can send any custom id, so trust nothing in it. */
export function toCustomId({ data }: Interaction): { name: string; args: string[] } {
  const [name = '', ...args] = (data?.custom_id ?? '').split(':');
  return { name, args };
}

/** What was entered into a modal, by field. */
export function toFields({ data }: Interaction): Fields {
  const fields = (data?.components ?? []).flatMap(({ component, components }) => [
    ...(component ? [component] : []),
    ...(components ?? []),
  ]);
  const entered = ({ value, values }: (typeof fields)[number]) =>
    values ?? (value === undefined ? [] : [value]);
  return new Map(fields.map((field) => [field.custom_id ?? '', entered(field)]));
}
