import { z } from 'zod';

/** The kind of a channel. In the last two, a rule makes posts. */
export const channelKindSchema = z.enum(['text', 'announcement', 'thread', 'forum', 'media']);

/** Whether a channel of such a kind takes posts instead of messages. */
export const isForumKind = (kind: ChannelKind) => kind === 'forum' || kind === 'media';

const channelSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Name of the channel's category in Discord; null without one. */
  category: z.string().nullable(),
  botHasAccess: z.boolean(),
  /** What the bot lacks there, in Discord's words, and where it is denied; null when it has access. */
  accessProblem: z.string().nullable(),
  /** Whether the bot can ping every role there, even roles that not everybody can mention. */
  pingsAllRoles: z.boolean(),
  usedInRules: z.number(),
  /** Whether rules use it and the bot no longer sees it: it is hidden from the bot, or was deleted. */
  isGone: z.boolean(),
  kind: channelKindSchema,
  /** The channel that a thread is in; null for a channel. */
  parentName: z.string().nullable(),
  /** Whether it is an archived thread, which reopens when somebody posts in it. */
  isArchived: z.boolean(),
  /** The names of the tags that the bot can give to posts of a forum or a media channel. */
  tags: z.array(z.string()),
  /** Whether every post there must have a tag. */
  needsTag: z.boolean(),
});

/** A way by which anybody can join a Discord server. */
export const publicWaySchema = z.enum(['discovery', 'vanity_link', 'widget']);

/** GET /api/app/discord/server: the connected server, or null. Channels are in Discord's own order. */
export const serverSchema = z.object({
  id: z.string(),
  name: z.string(),
  guildId: z.string(),
  iconUrl: z.string().nullable(),
  installedAt: z.string(),
  /** When the channels were last read from Discord; null when they are in doubt and could not be read since. */
  checkedAt: z.string().nullable(),
  /** Why the bot cannot reach the server, in words; null while it can. */
  problem: z.string().nullable(),
  /** Ways by which anybody can join, as far as Discord shows them; empty when there are none. */
  publicWays: z.array(publicWaySchema),
  channels: z.array(channelSchema),
  /** Without @everyone, in Discord's own order. */
  roles: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** Whether anyone can mention it. */
      isMentionable: z.boolean(),
    }),
  ),
});

export type ChannelKind = z.infer<typeof channelKindSchema>;
export type Channel = z.infer<typeof channelSchema>;
export type PublicWay = z.infer<typeof publicWaySchema>;
export type Server = z.infer<typeof serverSchema>;
