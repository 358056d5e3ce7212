import { db, type Transaction } from '@/lib/db/database';
import { MINUTE_MS } from '@/lib/time';

/** A write of ours, with the person and the channel that caused it. */
export interface PageWrite {
  /** Null for the creation of the page. */
  propertyId: string | null;
  discordUserId: string;
  channelId: string;
  at: Date;
}

/** The interaction in chat that makes us write. */
interface Cause {
  id: string;
  channelId: string;
  userId: string;
}

/** Notion tells of a change within five minutes; a write that is older than this belongs to an earlier event. */
export const TOLD_WITHIN_MS = 10 * MINUTE_MS;

/** Records who is about to write what, so that the event that comes back is known as theirs. */
export async function recordWrite(
  workspaceId: string,
  { id, channelId, userId }: Cause,
  target: { pageId: string | null; propertyId: string | null },
): Promise<void> {
  const data = {
    ...target,
    workspaceId,
    discordUserId: userId,
    channelId,
    at: new Date(),
  };
  await db().pageWrite.upsert({
    where: { interactionId: id },
    create: { interactionId: id, ...data },
    // A repeated attempt to create a page keeps the page that is known by now.
    update: target.pageId ? data : { at: data.at },
  });
}

/** What an interaction was about to write, or null; `writtenAt` once Notion has confirmed it. */
export async function findWrite(interactionId: string): Promise<{ writtenAt: Date | null } | null> {
  return db().pageWrite.findUnique({ where: { interactionId }, select: { writtenAt: true } });
}

/** Records that Notion has confirmed a write. */
export async function markWritten(interactionId: string): Promise<void> {
  await db().pageWrite.updateMany({ where: { interactionId }, data: { writtenAt: new Date() } });
}

/** Notes which page a write has created. */
export async function nameCreatedPage(tx: Transaction, interactionId: string, pageId: string): Promise<void> {
  await tx.pageWrite.updateMany({ where: { interactionId }, data: { pageId } });
}

/** Forgets a write that was never made. */
export async function forgetWrite(interactionId: string): Promise<void> {
  await db().pageWrite.deleteMany({ where: { interactionId } });
}

/** Forgets writes that are older. */
export async function forgetWritesBefore(at: Date): Promise<void> {
  await db().pageWrite.deleteMany({ where: { at: { lt: at } } });
}
