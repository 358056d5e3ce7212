import { db } from '@/lib/db/database';
import { getFirstMessage, listOwnPosts, type OwnPost } from '@/lib/integrations/discord/discord-forums';
import type { PostedMessage } from '@/lib/integrations/discord/discord-messages';
import { MINUTE_MS } from '@/lib/time';
import { findTaken } from '../messages/find-taken';

// Allows for the difference between Discord's clock and ours.
const CLOCKS_DIFFER_MS = MINUTE_MS;

// One reading of the forum's posts for each turn: a turn knows what it posts itself.
const readings = new WeakMap<object, Promise<OwnPost[]>>();

interface Wanted {
  accountId: string;
  forumId: string;
  name: string;
  /** Since when Discord may have been asked to make it. */
  triedAt: Date;
  saysTheSame: (posted: PostedMessage) => boolean;
}

/**
 * The id of the post that an earlier attempt has made; null when none has. Discord does not recognise a repeated post,
 * so it is recognised by its name, its time and its first message, and must not be one that another row already holds.
 * Searches the active posts and the hundred that were archived last. Throws DiscordError.
 */
export async function findPost(turn: object, wanted: Wanted): Promise<string | null> {
  const { accountId, forumId, name, triedAt, saysTheSame } = wanted;
  const reading = readings.get(turn) ?? readPosts(accountId, forumId);
  readings.set(turn, reading);
  const since = triedAt.getTime() - CLOCKS_DIFFER_MS;
  const candidates = (await reading).filter(
    (post) => post.name === name && post.createdAt.getTime() >= since,
  );
  if (candidates.length === 0) return null;
  const taken = await findTaken(candidates.map(({ id }) => id));
  for (const { id } of candidates.filter((post) => !taken.has(post.id))) {
    const first = await getFirstMessage(accountId, id);
    if (first && saysTheSame(first)) return id;
  }
  return null;
}

async function readPosts(accountId: string, forumId: string): Promise<OwnPost[]> {
  const server = await db().discordServer.findFirst({ where: { accountId }, select: { guildId: true } });
  return server ? listOwnPosts(accountId, server.guildId, forumId) : [];
}
