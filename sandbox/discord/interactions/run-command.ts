import {
  type APIApplicationCommandOption,
  ApplicationCommandType,
  InteractionType,
  MessageType,
  ApplicationCommandOptionType as Option,
} from 'discord-api-types/v10';
import { discordError, formError } from '../discord-error';
import { toMessage } from '../rest/to-api';
import type { StoredInteraction } from '../state';
import type { World } from '../world';
import { messageCommands, runnables } from './commands';
import { dispatch } from './dispatch';
import { resolve } from './resolved';

const WITH_IDS: Option[] = [Option.User, Option.Channel, Option.Role, Option.Mentionable];

export interface CommandUse {
  userId: string;
  channelId: string;
  /** As typed after the slash, e.g. "notion find". */
  label: string;
  values: Record<string, string>;
  /** The option being typed; if given, requests suggestions instead of running the command. */
  focused?: string | undefined;
}

/** Runs a slash command as a person, or asks the application to suggest values for one option. */
export async function runCommand(world: World, use: CommandUse): Promise<StoredInteraction> {
  const channel = world.channel(use.channelId);
  const runnable = channel && runnables(world, channel, use.userId).find((each) => each.label === use.label);
  if (!channel || !runnable) throw discordError('unknownCommand');
  const { command, path, options } = runnable;
  const given = options.filter((option) => use.values[option.name] || option.name === use.focused);
  if (!use.focused) requireAll(options, use.values);
  const leaves = given.map((option) => ({
    name: option.name,
    type: option.type,
    value: convert(option, use.values[option.name] ?? '', Boolean(use.focused)),
    ...(option.name === use.focused && { focused: true }),
  }));
  const ids = given
    .filter((option) => WITH_IDS.includes(option.type))
    .map((option) => use.values[option.name] ?? '');
  const resolved = resolve(world, world.guild(channel.guildId), ids, use.userId);
  return dispatch(world, {
    type: use.focused ? InteractionType.ApplicationCommandAutocomplete : InteractionType.ApplicationCommand,
    name: use.label,
    answerType: MessageType.ChatInputCommand,
    userId: use.userId,
    channelId: channel.id,
    data: {
      id: command.id,
      name: command.name,
      type: ApplicationCommandType.ChatInput,
      ...(command.guild_id && { guild_id: command.guild_id }),
      ...optionsOf(path, leaves),
      ...(Object.keys(resolved).length > 0 && { resolved }),
    },
  });
}

/** Runs an entry of a message's Apps menu. */
export async function runMessageCommand(
  world: World,
  {
    userId,
    channelId,
    name,
    targetId,
  }: { userId: string; channelId: string; name: string; targetId: string },
): Promise<StoredInteraction> {
  const channel = world.channel(channelId);
  const command = channel && messageCommands(world, channel, userId).find((each) => each.name === name);
  const target = world.message(channelId, targetId);
  if (!command) throw discordError('unknownCommand');
  if (!target) throw discordError('unknownMessage');
  return dispatch(world, {
    type: InteractionType.ApplicationCommand,
    name,
    answerType: MessageType.ContextMenuCommand,
    userId,
    channelId,
    data: {
      id: command.id,
      name: command.name,
      type: ApplicationCommandType.Message,
      target_id: target.id,
      resolved: { messages: { [target.id]: toMessage(world, target) } },
      ...(command.guild_id && { guild_id: command.guild_id }),
    },
  });
}

function optionsOf(path: string[], leaves: unknown[]): { options?: unknown[] } {
  const [first, ...rest] = path;
  if (first === undefined) return leaves.length > 0 ? { options: leaves } : {};
  const type = rest.length > 0 ? Option.SubcommandGroup : Option.Subcommand;
  return { options: [{ name: first, type, options: [], ...optionsOf(rest, leaves) }] };
}

function requireAll(options: APIApplicationCommandOption[], values: Record<string, string>): void {
  const missing = options.find((option) => option.required && !values[option.name]);
  if (missing) throw formError([missing.name], 'BASE_TYPE_REQUIRED', `${missing.name} is required.`);
}

function convert(
  option: APIApplicationCommandOption,
  text: string,
  isDraft: boolean,
): string | number | boolean {
  if (option.type === Option.Boolean) return text === 'true';
  if (option.type !== Option.Integer && option.type !== Option.Number) return text;
  const number = Number(text);
  if (isDraft) return text;
  if (Number.isNaN(number))
    throw formError([option.name], 'NUMBER_TYPE_COERCE', `${option.name} must be a number.`);
  return number;
}
