import { ChannelType } from 'discord-api-types/v10';
import { z } from 'zod';
import { isForumType, requiresTag } from '@/lib/integrations/discord/discord-forums';
import type { GuildChannel, GuildThread, GuildView } from '@/lib/integrations/discord/discord-guild';
import { managesThreads, mayPingAllRoles, missingPermission } from '@/lib/integrations/discord/permissions';
import { byAge } from '@/lib/integrations/discord/snowflake';
import {
  accessFix,
  accessProblem,
  THREAD_GONE,
  THREAD_GONE_FIX,
  THREAD_LOCKED,
  THREAD_LOCKED_FIX,
} from './access-words';
import { type ChannelKind, channelKindSchema } from './schema';

// Discord allows a thousand active threads; more than these are not listed.
const MAX_THREADS = 200;

/** Discord's channel types in which cards can be posted. */
const KINDS: Record<number, ChannelKind> = {
  [ChannelType.GuildText]: 'text',
  [ChannelType.GuildAnnouncement]: 'announcement',
  [ChannelType.GuildForum]: 'forum',
  [ChannelType.GuildMedia]: 'media',
};

/** A channel as it was last seen, kept with its server. */
const seenChannelSchema = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string().nullable(),
  accessProblem: z.string().nullable(),
  /** How the account holder gives the bot the missing permission. */
  accessFix: z.string().nullable().default(null),
  /** Why the bot cannot write below its cards there, and how the account holder permits it; null when it can. */
  threadProblem: z.string().nullable().default(null),
  /** Whether the bot can ping every role there, even roles that not everybody can mention. */
  pingsAllRoles: z.boolean().default(false),
  kind: channelKindSchema.default('text'),
  /** The channel that a thread is in. */
  parentName: z.string().nullable().default(null),
  /** Whether it is an archived thread, which reopens when somebody posts in it. */
  isArchived: z.boolean().default(false),
  /** The names of the tags that the bot can give to posts of a forum. */
  tags: z.array(z.string()).default([]),
  /** Whether every post of a forum must have a tag. */
  needsTag: z.boolean().default(false),
});

export const seenChannelsSchema = z.array(seenChannelSchema);
export type SeenChannel = z.infer<typeof seenChannelSchema>;

/** Threads that rules use, as they were last seen and as they are now; `now` is null for one that is gone. */
export type UsedThreads = Map<string, { last: SeenChannel; now: GuildThread | null }>;

/**
 * The channels, threads, forums and media channels in which cards can be posted, in Discord's order, with what the bot
 * lacks there.
 */
export function toSeenChannels(view: GuildView, used: UsedThreads): SeenChannel[] {
  const categories = new Map(
    view.channels
      .filter((channel) => channel.type === ChannelType.GuildCategory)
      .map((channel) => [channel.id, channel]),
  );
  const categoryOf = (channel: GuildChannel) => categories.get(channel.parent_id ?? '');
  const threads = threadsOf(view, used);
  const seen = view.channels
    .filter((channel) => channel.type in KINDS)
    .sort((a, b) => byCategory(categoryOf(a), categoryOf(b)) || byPosition(a, b))
    .flatMap((channel) => {
      const category = categoryOf(channel)?.name ?? null;
      const inside = threads.filter(({ parent_id }) => parent_id === channel.id);
      return [
        toSeenChannel(view, channel, category),
        ...inside.map((thread) => toSeenThread(view, thread, { channel, category })),
      ];
    });
  const gone = [...used.values()].filter(({ last }) => !seen.some(({ id }) => id === last.id));
  return [
    ...seen,
    ...gone.map(({ last }) => ({ ...last, accessProblem: THREAD_GONE, accessFix: THREAD_GONE_FIX })),
  ];
}

/** The threads to list: those that rules use, and the active ones with the newest messages. */
function threadsOf({ threads }: GuildView, used: UsedThreads): GuildThread[] {
  const newest = threads
    .filter(({ id }) => !used.has(id))
    .sort((one, other) => (BigInt(lastOf(one)) > BigInt(lastOf(other)) ? -1 : 1))
    .slice(0, MAX_THREADS);
  return [...[...used.values()].flatMap(({ now }) => now ?? []), ...newest];
}

const lastOf = ({ id, last_message_id }: GuildThread) => last_message_id ?? id;

function toSeenChannel(view: GuildView, channel: GuildChannel, category: string | null): SeenChannel {
  const { id, name, type } = channel;
  const kind = KINDS[type] ?? 'text';
  const isForum = isForumType(type);
  const missing = missingPermission(view, channel, isForum ? 'forum' : 'channel');
  const names = { name, category };
  const unthreaded = missing || isForum ? null : missingPermission(view, channel, 'below_cards');
  const moderates = isForum && managesThreads(view, channel);
  return {
    id,
    ...names,
    kind,
    parentName: null,
    isArchived: false,
    accessProblem: missing && accessProblem(missing, names),
    accessFix: missing && accessFix(missing, names),
    threadProblem: unthreaded && `${accessProblem(unthreaded, names)}. ${accessFix(unthreaded, names)}`,
    pingsAllRoles: mayPingAllRoles(view, channel),
    tags: (channel.available_tags ?? []).flatMap((tag) => (tag.moderated && !moderates ? [] : tag.name)),
    needsTag: isForum && requiresTag(channel.flags ?? 0),
  };
}

function toSeenThread(
  view: GuildView,
  { id, name, thread_metadata: { archived, locked } }: GuildThread,
  { channel, category }: { channel: GuildChannel; category: string | null },
): SeenChannel {
  const missing = missingPermission(view, channel, 'thread');
  const names = { name: channel.name, category };
  const isLocked = locked && !managesThreads(view, channel);
  return {
    id,
    name,
    category,
    kind: 'thread',
    parentName: channel.name,
    isArchived: archived,
    accessProblem: missing ? accessProblem(missing, names) : isLocked ? THREAD_LOCKED : null,
    accessFix: missing ? accessFix(missing, names) : isLocked ? THREAD_LOCKED_FIX : null,
    threadProblem: null,
    pingsAllRoles: mayPingAllRoles(view, channel),
    tags: [],
    needsTag: false,
  };
}

// Discord lists channels without a category above all categories.
function byCategory(a: GuildChannel | undefined, b: GuildChannel | undefined): number {
  if (a === b) return 0;
  if (!a) return -1;
  return b ? byPosition(a, b) : 1;
}

function byPosition(a: GuildChannel, b: GuildChannel): number {
  return a.position - b.position || byAge(a, b);
}
