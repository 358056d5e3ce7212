import { db } from '@/lib/db/database';
import type { Flood } from '@/lib/db/generated/client';
import { openSummary, type Summary } from '../matching/summary';

export const PER_SCREEN = 10;
/** How many cards of a flood are listed at most. */
export const MAX_LISTED = 1000;

/** One screen of the cards that a message counts. */
export interface FloodScreen {
  /** How many cards there are in all. */
  count: number;
  /** Null where the title can no longer be read. */
  lines: (Summary | null)[];
}

/**
 * The events of a flood, in the order in which they were decided, for somebody in its channel; null when there is no
 * such flood there. `screen` counts from 0.
 */
export async function listFlood(
  floodId: string,
  where: { guildId: string; channelId: string },
  screen: number,
): Promise<FloodScreen | null> {
  const flood = await db().flood.findFirst({
    where: { id: floodId, rule: { server: { guildId: where.guildId } } },
  });
  if (!flood || !(await isThere(flood, where.channelId))) return null;
  const of = { messageId: floodId, accountId: flood.accountId, outcome: 'gathered' } as const;
  const [count, rows] = await Promise.all([
    db().decision.count({ where: of }),
    db().decision.findMany({
      where: of,
      select: { id: true, sealedSummary: true },
      orderBy: { sequence: 'asc' },
      skip: screen * PER_SCREEN,
      take: PER_SCREEN,
    }),
  ]);
  return { count, lines: rows.map(({ id, sealedSummary }) => readSummary(id, sealedSummary)) };
}

/** Whether a flood's counter is in this channel; in a forum, in this post. */
async function isThere(
  { channelId, messageId, messageAt, accountId }: Flood,
  asked: string,
): Promise<boolean> {
  if (channelId === asked) return true;
  const message = { id: messageId, at: messageAt, accountId, targetId: asked };
  return (await db().message.count({ where: message })) > 0;
}

function readSummary(id: string, sealed: Uint8Array | null): Summary | null {
  try {
    return sealed && openSummary(id, sealed);
  } catch {
    return null;
  }
}
