import { db } from '@/lib/db/database';
import { MINUTE_MS } from '@/lib/time';
import type { DeferredAnswer } from '../tasks/interactions';
import type { Member } from '../tasks/member';

/** A write of ours, with the person and the channel that caused it. */
export interface PageWrite {
  /** Null for the creation of the page. */
  propertyId: string | null;
  discordUserId: string;
  channelId: string;
  at: Date;
}

/** Notion tells of a change within five minutes; a write that is older than this belongs to an earlier event. */
export const TOLD_WITHIN_MS = 10 * MINUTE_MS;

/** Records who is about to write what, so that the event that comes back is known as theirs. */
export async function recordWrite(
  member: Member,
  { id, channelId, userId }: DeferredAnswer,
  target: { pageId: string | null; propertyId: string | null },
): Promise<void> {
  const data = {
    ...target,
    workspaceId: member.workspaceId,
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

/** Forgets a write that was never made. */
export async function forgetWrite(interactionId: string): Promise<void> {
  await db().pageWrite.deleteMany({ where: { interactionId } });
}
