import { keyedHash } from '@/lib/crypto';
import { db, type Transaction } from '@/lib/db/database';
import { env } from '@/lib/env';
import { digest } from '@/lib/integrations/notion/bounded-value';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import { MINUTE_MS } from '@/lib/time';

/** A write of our bot in Notion, with the person and the channel in chat that caused it. */
export interface PageWrite {
  /** Null for the creation of the page, and NEW_COMMENT for a comment on it. */
  propertyId: string | null;
  discordUserId: string;
  /** The person's Notion user; null when they are not linked. */
  notionUserId: string | null;
  channelId: string;
  /** Recognises the written value, see `hasWritten`. Null for the creation of the page. */
  valueHash: string | null;
  at: Date;
}

/** Stands for a comment in place of a property, whose ids have no spaces. */
export const NEW_COMMENT = 'new comment';

/** A comment's id in the form in which a write's value is recorded. */
export const commentWritten = (id: string): PropertyValue => ({ type: 'comment', key: id, text: '' });

/** The interaction in chat that causes a write. */
interface Cause {
  id: string;
  channelId: string;
  userId: string;
}

/** Notion reports a change within five minutes; a write older than ten belongs to an earlier event. */
export const TOLD_WITHIN_MS = 10 * MINUTE_MS;

/** Records what is about to be written and for whom, so that the event it causes can be recognised. */
export async function recordWrite(
  workspaceId: string,
  { id, channelId, userId }: Cause,
  { pageId, propertyId, value }: { pageId: string | null; propertyId: string | null; value?: PropertyValue },
): Promise<void> {
  const data = {
    pageId,
    propertyId,
    workspaceId,
    discordUserId: userId,
    channelId,
    valueHash: value ? hashOf(value) : null,
    at: new Date(),
  };
  await db().pageWrite.upsert({
    where: { interactionId: id },
    create: { interactionId: id, ...data },
    // A repeated attempt to create a page keeps an id that is known by now.
    update: pageId ? data : { at: data.at },
  });
}

/** What our bot wrote on some pages since a time, oldest first. */
export function listWrites(
  workspaceId: string,
  pageIds: string[],
  since: Date,
): Promise<(PageWrite & { pageId: string })[]> {
  return db().$queryRaw`
    select p.page_id as "pageId", p.property_id as "propertyId", p.discord_user_id as "discordUserId", k.notion_user_id as "notionUserId",
      p.channel_id as "channelId", p.value_hash as "valueHash", p.at
    from page_write p join notion_workspace w on w.id = p.workspace_id
    left join account_link k on k.account_id = w.account_id and k.discord_user_id = p.discord_user_id
    where p.workspace_id = ${workspaceId}::uuid and p.page_id = any(${pageIds}::text[]) and p.at > ${since}::timestamptz
    order by p.at`;
}

/** The recorded write of an interaction, or null; `writtenAt` once Notion has confirmed it. */
export async function findWrite(interactionId: string): Promise<{ writtenAt: Date | null } | null> {
  return db().pageWrite.findUnique({ where: { interactionId }, select: { writtenAt: true } });
}

/** Records that Notion has confirmed a write, with the value as returned if Notion returned all of it. */
export async function markWritten(interactionId: string, value: PropertyValue | undefined): Promise<void> {
  const valueHash = value && !value.isCut ? hashOf(value) : undefined;
  await db().pageWrite.updateMany({ where: { interactionId }, data: { writtenAt: new Date(), valueHash } });
}

/** Whether a write set its property to this value. True for a write whose value was not recorded. */
export const hasWritten = ({ valueHash }: Pick<PageWrite, 'valueHash'>, value: PropertyValue): boolean =>
  valueHash === null || valueHash === hashOf(value);

// Dates are content and could be guessed from a plain hash.
const hashOf = ({ key }: PropertyValue) => keyedHash(env().NEXTAUTH_SECRET, digest(key), 'written value');

/** Records which page a write has created. */
export async function nameCreatedPage(tx: Transaction, interactionId: string, pageId: string): Promise<void> {
  await tx.pageWrite.updateMany({ where: { interactionId }, data: { pageId } });
}

/** Deletes the record of a write that was not made. */
export async function forgetWrite(interactionId: string): Promise<void> {
  await db().pageWrite.deleteMany({ where: { interactionId } });
}

/** Deletes the records of older writes. */
export async function forgetWritesBefore(at: Date): Promise<void> {
  await db().pageWrite.deleteMany({ where: { at: { lt: at } } });
}
