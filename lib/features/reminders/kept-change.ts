import { z } from 'zod';
import { open, seal } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import { HOUR_MS } from '@/lib/time';
import type { Member } from '../tasks/member';

const dateSchema = z.object({
  start: z.string(),
  end: z.string().nullable(),
  time_zone: z.string().nullable(),
});

const valueSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), optionId: z.string().nullable() }),
  z.object({ kind: z.literal('date'), date: dateSchema.nullable() }),
]);

const changeSchema = z.object({
  pageId: z.string(),
  databaseId: z.string(),
  propertyId: z.string(),
  before: valueSchema,
  wrote: valueSchema,
  /** The card in a channel whose button was pressed; null in direct messages. */
  card: z.object({ channelId: z.string(), messageId: z.string() }).nullable().default(null),
});

/** A value to which a reminder's button can set a property. */
export type Value = z.infer<typeof valueSchema>;

/** A person's change, with everything that is needed to undo it. */
export type Change = z.infer<typeof changeSchema>;

export interface KeptChange extends Change {
  accountId: string;
  discordUserId: string;
  /** The interaction that has undone it; null before that. */
  undoneBy: string | null;
}

/** How long a person may undo a change. The page "Privacy" states the same. */
const UNDONE_WITHIN_MS = HOUR_MS;

export const changePurpose = (interactionId: string) => `kept-change:${interactionId}`;

/** Seals a change for its row. */
export const sealChange = (interactionId: string, change: Change) =>
  seal(JSON.stringify(change), changePurpose(interactionId));

export const openChange = (interactionId: string, sealed: Uint8Array): Change =>
  changeSchema.parse(JSON.parse(open(sealed, changePurpose(interactionId))));

/** Keeps what an interaction is about to change. A repeated attempt changes nothing. */
export async function keepChange(interactionId: string, member: Member, change: Change): Promise<void> {
  const { accountId, workspaceId, discordUserId } = member;
  await db().$executeRaw`
    insert into kept_change (interaction_id, account_id, workspace_id, discord_user_id, sealed_change)
    values (${interactionId}, ${accountId}::uuid, ${workspaceId}::uuid, ${discordUserId},
      ${sealChange(interactionId, change)})
    on conflict do nothing`;
}

/** The change that an interaction has made or was about to make; null when it is not kept, or too old to be undone. */
export async function findChange(interactionId: string): Promise<KeptChange | null> {
  const at = { gt: new Date(Date.now() - UNDONE_WITHIN_MS) };
  const row = await db().keptChange.findFirst({ where: { interactionId, at } });
  if (!row) return null;
  const { accountId, discordUserId, undoneBy, sealedChange } = row;
  return { ...openChange(interactionId, sealedChange), accountId, discordUserId, undoneBy };
}

/** Records that an interaction has undone a change. */
export async function noteUndone(interactionId: string, undoneBy: string): Promise<void> {
  await db().keptChange.updateMany({ where: { interactionId, undoneBy: null }, data: { undoneBy } });
}

/** Deletes what can no longer be undone. */
export async function forgetOldChanges(): Promise<void> {
  const before = new Date(Date.now() - UNDONE_WITHIN_MS);
  await db().keptChange.deleteMany({ where: { at: { lt: before } } });
}
