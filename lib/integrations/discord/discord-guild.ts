import { ChannelType, RESTJSONErrorCodes as Code } from 'discord-api-types/v10';
import { z } from 'zod';
import type { TimeLeft } from '@/lib/time';
import { allAnswers, DiscordError, discordRequest, readReply, refusedAsNull } from './discord-request';

/** The tags that posts of a forum can have. */
export const tagsSchema = z
  .array(z.object({ id: z.string(), name: z.string(), moderated: z.boolean().catch(false) }))
  .catch([]);

const overwriteSchema = z.object({
  id: z.string(),
  type: z.number(),
  allow: z.string().transform(BigInt),
  deny: z.string().transform(BigInt),
});

const channelSchema = z.object({
  id: z.string(),
  type: z.number(),
  name: z.string().catch(''),
  position: z.number().catch(0),
  parent_id: z.string().nullish(),
  permission_overwrites: z.array(overwriteSchema).catch([]),
  flags: z.number().optional().catch(undefined),
  /** Only for a forum or a media channel. */
  available_tags: tagsSchema.optional(),
});

export const guildSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The hash of its icon. */
  icon: z.string().nullish(),
  owner_id: z.string(),
  roles: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      permissions: z.string().transform(BigInt),
      position: z.number().catch(0),
      /** Whether anyone can mention it. */
      mentionable: z.boolean().catch(false),
    }),
  ),
  features: z.array(z.string()).catch([]),
  vanity_url_code: z.string().nullish(),
  widget_enabled: z.boolean().nullish(),
  /** The channel that the widget's invite leads to; null when the widget shows no invite. */
  widget_channel_id: z.string().nullish(),
});

export const memberSchema = z.object({
  roles: z.array(z.string()),
  communication_disabled_until: z.string().nullish(),
});

const threadSchema = z.object({
  id: z.string(),
  type: z.number(),
  name: z.string().catch(''),
  parent_id: z.string().nullish(),
  last_message_id: z.string().nullish(),
  thread_metadata: z
    .object({ archived: z.boolean().catch(false), locked: z.boolean().catch(false) })
    .catch({ archived: false, locked: false }),
});
const activeThreadsSchema = z.object({
  threads: z.array(threadSchema).catch([]),
  /** The bot's own memberships. */
  members: z.array(z.object({ id: z.string().nullish() })).catch([]),
});

export type GuildThread = z.infer<typeof threadSchema>;
export type GuildChannel = z.infer<typeof channelSchema>;
export type Guild = z.infer<typeof guildSchema>;

/** A server as the bot sees it. Discord leaves out the channels that the bot cannot view. */
export interface GuildView {
  guild: Guild;
  botUserId: string;
  botRoleIds: string[];
  /** When the bot's latest timeout ends, possibly in the past; null if it was never timed out. */
  botTimedOutUntil: Date | null;
  channels: GuildChannel[];
  /** The server's active threads, and of its private threads only those that the bot is in. */
  threads: GuildThread[];
}

let botUser: Promise<string> | undefined;

/**
 * The bot's own user id, which may differ from its application id. Requested once; a failure is not cached. Throws
 * DiscordError.
 */
export function getBotUserId(): Promise<string> {
  botUser ??= discordRequest('GET', '/users/@me')
    .then(({ body }) => readReply(z.object({ id: z.string() }), body).id)
    .catch((error) => {
      botUser = undefined;
      throw error;
    });
  return botUser;
}

const guildIdsSchema = z.array(z.object({ id: z.string() }));

const UNAVAILABLE = 503;

/**
 * Discord's response about a server. Discord sometimes denies knowing a server that the bot is still in, so that counts
 * as no answer unless its list of the bot's servers agrees. Throws DiscordError.
 */
export async function aboutGuild<T>(guildId: string, response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    const isUnknown = error instanceof DiscordError && error.code === Code.UnknownGuild;
    if (!isUnknown || !(await isListed(guildId))) throw error;
    throw new DiscordError(UNAVAILABLE, 0, 'Discord does not know a server that it lists');
  }
}

async function isListed(guildId: string): Promise<boolean> {
  const path = `/users/@me/guilds?limit=1&after=${BigInt(guildId) - 1n}`;
  const { body } = await discordRequest('GET', path);
  return readReply(guildIdsSchema, body).some(({ id }) => id === guildId);
}

/**
 * Reads a server, the bot's membership, the visible channels and active threads, on behalf of an account. Throws
 * DiscordError.
 */
export const getGuildView = (accountId: string, guildId: string): Promise<GuildView> =>
  aboutGuild(guildId, readGuildView(accountId, guildId));

async function readGuildView(accountId: string, guildId: string): Promise<GuildView> {
  const botUserId = await getBotUserId();
  const [guild, member, channels] = await allAnswers([
    discordRequest('GET', `/guilds/${guildId}`, { accountId }),
    discordRequest('GET', `/guilds/${guildId}/members/${botUserId}`, { accountId }),
    discordRequest('GET', `/guilds/${guildId}/channels`, { accountId }),
  ]);
  // Not in parallel, because a bot that was removed would be refused once more.
  const threads = await listThreads(accountId, guildId).catch(exceptOfBotGone);
  const { roles, communication_disabled_until: until } = readReply(memberSchema, member.body);
  return {
    guild: readReply(guildSchema, guild.body),
    botUserId,
    botRoleIds: roles,
    botTimedOutUntil: until ? new Date(until) : null,
    channels: readReply(z.array(channelSchema), channels.body),
    threads: threads ?? [],
  };
}

// The channels are of use without the threads, and a thread that a rule uses is then read by itself.
function exceptOfBotGone(error: unknown): null {
  if (isBotGone(error)) throw error;
  return refusedAsNull(error);
}

async function listThreads(accountId: string, guildId: string): Promise<GuildThread[]> {
  const { body } = await discordRequest('GET', `/guilds/${guildId}/threads/active`, { accountId });
  const { threads, members } = readReply(activeThreadsSchema, body);
  const joined = new Set(members.map(({ id }) => id));
  return threads.filter(({ id, type }) => type !== ChannelType.PrivateThread || joined.has(id));
}

/** Reads a thread that is not active; null when it was deleted or is hidden. Throws DiscordError. */
export async function getThread(accountId: string, threadId: string): Promise<GuildThread | null> {
  const reply = await discordRequest('GET', `/channels/${threadId}`, { accountId }).catch(refusedAsNull);
  return reply && readReply(threadSchema, reply.body);
}

/**
 * Removes the bot from a server, unless the claim ends before. Throws DiscordError (a 404 means that the bot had
 * already left) and CallTooLate.
 */
export async function leaveGuild(guildId: string, claimLeft: TimeLeft): Promise<void> {
  const call = discordRequest('DELETE', `/users/@me/guilds/${guildId}`, { subject: guildId, claimLeft });
  await aboutGuild(guildId, call);
}

/** Whether the bot is in a server, asked on behalf of an account. Throws DiscordError when Discord does not say. */
export async function isBotIn(accountId: string, guildId: string): Promise<boolean> {
  try {
    await aboutGuild(guildId, discordRequest('GET', `/guilds/${guildId}`, { accountId }));
    return true;
  } catch (error) {
    if (isBotGone(error)) return false;
    throw error;
  }
}

const BOT_GONE: number[] = [Code.UnknownGuild, Code.UnknownMember, Code.MissingAccess];

/** Whether Discord says that the bot is not in the server. */
export function isBotGone(error: unknown): boolean {
  return error instanceof DiscordError && BOT_GONE.includes(error.code);
}

const GUILDS_PER_CALL = 200;

/** The ids of every server that the bot is in. Throws DiscordError. */
export async function listGuildIds(): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let after = '0'; ; ) {
    const path = `/users/@me/guilds?limit=${GUILDS_PER_CALL}&after=${after}`;
    const { body } = await discordRequest('GET', path);
    const guilds = readReply(guildIdsSchema, body);
    for (const { id } of guilds) ids.add(id);
    const last = guilds.at(-1)?.id;
    if (guilds.length < GUILDS_PER_CALL || !last || last === after) return ids;
    after = last;
  }
}
