import {
  type APIApplicationCommand,
  type APIApplicationCommandOption,
  ApplicationCommandType,
  PermissionFlagsBits as Bit,
  InteractionContextType,
  ApplicationCommandOptionType as Option,
} from 'discord-api-types/v10';
import { may, permissionsIn } from '../permissions';
import type { StoredChannel } from '../state';
import type { World } from '../world';

/** One thing a person can run: a command, or one subcommand of it. */
export interface Runnable {
  command: APIApplicationCommand;
  /** Subcommand group and subcommand, when there are any. */
  path: string[];
  /** As typed after the slash, e.g. "notion link-account". */
  label: string;
  description: string;
  options: APIApplicationCommandOption[];
}

/** The commands that a person may use in a channel, each subcommand separately. */
export function runnables(world: World, channel: StoredChannel, userId: string): Runnable[] {
  return available(world, channel, userId)
    .filter(({ type }) => type === ApplicationCommandType.ChatInput)
    .flatMap((command) => expand(command, command.options ?? [], [], command.description))
    .sort((one, other) => one.label.localeCompare(other.label));
}

/** The entries of a message's Apps menu. */
export function messageCommands(
  world: World,
  channel: StoredChannel,
  userId: string,
): APIApplicationCommand[] {
  return available(world, channel, userId).filter(({ type }) => type === ApplicationCommandType.Message);
}

function available(world: World, channel: StoredChannel, userId: string): APIApplicationCommand[] {
  const guild = world.guild(channel.guildId);
  const stored = world.state.commands;
  const isInstalled = guild ? guild.installedScopes?.includes('applications.commands') : true;
  if (!isInstalled) return [];
  const bits = permissionsIn(world.state, channel, userId, world.now());
  const context = guild ? InteractionContextType.Guild : InteractionContextType.BotDM;
  return [...stored.global, ...(guild ? (stored.guilds[guild.id] ?? []) : [])].filter((command) => {
    const needed = command.default_member_permissions;
    if (command.contexts && !command.contexts.includes(context)) return false;
    if (guild && !may(bits, Bit.UseApplicationCommands)) return false;
    if (!guild || needed === null || needed === undefined) return true;
    return needed === '0' ? may(bits, Bit.Administrator) : may(bits, BigInt(needed));
  });
}

function expand(
  command: APIApplicationCommand,
  options: APIApplicationCommandOption[],
  path: string[],
  description: string,
): Runnable[] {
  const nested = options.filter(
    (each) => each.type === Option.Subcommand || each.type === Option.SubcommandGroup,
  );
  if (nested.length === 0) {
    return [{ command, path, label: [command.name, ...path].join(' '), description, options }];
  }
  return nested.flatMap((each) =>
    expand(command, each.options ?? [], [...path, each.name], each.description),
  );
}
