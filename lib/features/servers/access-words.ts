import type { MissingPermission } from '@/lib/integrations/discord/permissions';
import { type ChannelKind, isForumKind } from './schema';

interface ChannelName {
  name: string;
  category: string | null;
}

/** What the bot lacks in a channel, and where it is denied. */
export function accessProblem(
  { permission, level, deniedFor }: MissingPermission,
  { category }: ChannelName,
): string {
  if (level === 'server') return `${permission} is not granted to the bot by any of its server roles`;
  const where =
    level === 'category' ? `the category ${category}, which this channel follows` : 'this channel';
  return `${permission} is denied for ${deniedFor} in ${where}`;
}

/** How the account holder grants the permission, in the words of Discord's settings. */
export function accessFix(
  { permission, level, deniedFor }: MissingPermission,
  { name, category }: ChannelName,
): string {
  if (level === 'server') {
    return `In Discord, open Server Settings, then Roles, and allow ${permission} for the bot’s role.`;
  }
  const where = level === 'category' ? `the category ${category}` : `#${name}`;
  const whom = deniedFor === 'the bot itself' ? 'the bot' : 'the bot’s role';
  return `In Discord, open the settings of ${where}, then Permissions, and allow ${permission} for ${whom}.`;
}

export const CHANNEL_GONE = 'Not visible to the bot: the channel is hidden from it or was deleted';

// Discord does not show the overwrites of a channel that it hides from the bot.
export const CHANNEL_GONE_FIX =
  'If the channel is hidden, the bot lacks View Channel: in Discord, open the settings of the channel, or of its category where it follows one, then Permissions, and allow View Channel for the bot’s role. If it was deleted, edit the rule and choose another.';

export const THREAD_LOCKED = 'The thread is locked, and the bot may not manage threads';
export const THREAD_LOCKED_FIX =
  'In Discord, open the menu of the thread and unlock it, or edit the rule and choose another place.';
export const THREAD_GONE = 'The thread was deleted, or is hidden from the bot';
export const THREAD_GONE_FIX =
  'If the thread is private, mention the bot in it, which adds it. If it was deleted, edit the rule and choose another place.';

/** Why a rule cannot post in a channel, because the channel has another type than the rule expects; null if it can. */
export function whyWrongKind(kind: ChannelKind, isForForum: boolean): string | null {
  const isForum = isForumKind(kind);
  if (isForum === isForForum) return null;
  return isForum
    ? `It is a ${kind} channel, which takes posts, and the rule posts messages`
    : 'It is not a forum or media channel, and the rule makes posts';
}

export const WRONG_KIND_FIX = 'Edit the rule: choose the channel again, or another one.';
