import { PermissionFlagsBits as Bit } from 'discord-api-types/v10';
import { may, permissionsIn } from '../permissions';
import type { Pings, StoredChannel } from '../state';
import type { World } from '../world';
import type { AllowedMentions } from './message-schema';

const CODE = /```[\s\S]*?```|``[\s\S]*?``|`[^`\n]*`/g;

/** The mentions in a text, outside code. Discord's server reads a mention even after a backslash. */
export function namedIn(content: string): Pings {
  const plain = content.replace(CODE, ' ');
  const ids = (pattern: RegExp) => [...new Set([...plain.matchAll(pattern)].map((match) => match[1] ?? ''))];
  return {
    users: ids(/<@!?(\d{15,21})>/g),
    roles: ids(/<@&(\d{15,21})>/g),
    everyone: /@(everyone|here)\b/.test(plain),
  };
}

interface Mentioning {
  authorId: string;
  content: string;
  allowed: AllowedMentions;
  /** The author of the message that this one replies to. */
  repliedTo?: string | undefined;
}

/**
 * Who is really notified: mentioned in the content, permitted by `allowed_mentions` and by permissions, and able to see
 * the channel.
 */
export function pingsOf(
  world: World,
  channel: StoredChannel,
  { authorId, content, allowed, repliedTo }: Mentioning,
): Pings {
  const named = namedIn(content);
  const guild = world.guild(channel.guildId);
  const bits = permissionsIn(world.state, channel, authorId, world.now());
  const mayAll = may(bits, Bit.MentionEveryone);
  const canLook = (id: string) => may(permissionsIn(world.state, channel, id, world.now()), Bit.ViewChannel);
  const passes = (kind: 'users' | 'roles', id: string) =>
    Boolean(allowed.parse?.includes(kind) || allowed[kind]?.includes(id));

  const users = named.users.filter((id) => passes('users', id));
  if (repliedTo && allowed.replied_user) users.push(repliedTo);
  return {
    users: [...new Set(users)].filter((id) => id !== authorId && canLook(id)),
    roles: named.roles.filter((id) => {
      const role = guild?.roles.find((each) => each.id === id);
      return role && (role.mentionable || mayAll) && passes('roles', id);
    }),
    everyone: named.everyone && mayAll && Boolean(allowed.parse?.includes('everyone')),
  };
}

/** The default when a message says nothing about mentions. Replies and webhooks only notify users. */
export const EVERYTHING: AllowedMentions = { parse: ['users', 'roles', 'everyone'], replied_user: true };
export const USERS_ONLY: AllowedMentions = { parse: ['users'] };
