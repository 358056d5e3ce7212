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

/** A database with a status is a task database. */
export const databaseTypeSchema = z.enum(['task', 'page']);

const optionSchema = z.object({ id: z.string(), name: z.string(), color: z.string() });

/** One property of a Notion data source. `id` is Notion's own encoding, compared verbatim. */
const propertySchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  /** Options of status, select and multi_select properties, in Notion's order. */
  options: z.array(optionSchema),
  /** The unit of a number property, in words; absent for plain numbers. */
  unit: z.string().optional(),
  /** Whether this property makes its database a task database. */
  isStatus: z.boolean(),
});

/** The id of a database in a call. Only such an id may become a part of the address at which Notion is asked. */
export const databaseIdSchema = z
  .string('databaseId: Choose a database')
  .min(1, 'databaseId: Choose a database')
  .regex(/^[\w-]{1,100}$/, 'databaseId must be the id of a database in Notion');

/** GET /api/app/notion/databases/{databaseId}/properties */
export const propertiesSchema = z.object({ properties: z.array(propertySchema) });

const databaseSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** An emoji or an image URL; null when Notion shows its own page symbol. */
  icon: z.string().nullable(),
  type: databaseTypeSchema,
  url: z.string().nullable(),
  usedInRules: z.number(),
  /** The time of the newest event that Notion reported; null when there was none in the past weeks. */
  lastEventAt: z.string().nullable(),
  /** Names of the status options in Notion's order; empty for a page database. */
  statusOptions: z.array(z.string()),
  /** The same options with their colours, grouped as in Notion. */
  statusGroups: z.array(z.object({ name: z.string(), color: z.string(), options: z.array(optionSchema) })),
});

/** GET /api/app/notion/workspace: the connected workspace, or null. */
export const workspaceSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** An emoji or an image URL; null when it has none. */
  icon: z.string().nullable(),
  /** When Notion was last asked for its databases; null when it never was. */
  checkedAt: z.string().nullable(),
  installer_discord_user_id: z.string().nullable(),
  /** Why Notion no longer accepts Pagewire's connection, in words; null while it does. */
  problem: z.string().nullable(),
  /** Whether the connection may read comments, as Notion last answered; null before it was asked. */
  canReadComments: z.boolean().nullable(),
  users: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      email: z.string().optional(),
      /** Their picture in Notion; absent without one. */
      avatarUrl: z.string().optional(),
    }),
  ),
  databases: z.array(databaseSchema),
});

export type ChannelKind = z.infer<typeof channelKindSchema>;
export type Channel = z.infer<typeof channelSchema>;
export type PublicWay = z.infer<typeof publicWaySchema>;
export type Server = z.infer<typeof serverSchema>;
export type Property = z.infer<typeof propertySchema>;
export type Database = z.infer<typeof databaseSchema>;
export type Workspace = z.infer<typeof workspaceSchema>;
