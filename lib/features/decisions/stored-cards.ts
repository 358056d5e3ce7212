import { db, Prisma } from '@/lib/db/database';
import { sameAs } from '@/lib/db/planner-hints';

/** Adds cards. `rows` selects message_id, at, account_id, rule_id and page_id. */
export const createCardsSql = (rows: Prisma.Sql) => Prisma.sql`
  insert into card (message_id, at, account_id, rule_id, page_id)
  ${rows}`;

/** Deletes the cards of the messages in the part `paused` of a statement, found by its `id` and `at`. */
export const DROP_PAUSED_CARDS = Prisma.sql`
  delete from card k using paused m where k.message_id = m.id and k.at = m.at`;

/**
 * Records when the pages of cards that were posted early were read, from the parts `news` and `revised`. Leaves out
 * cards that show a later reading.
 */
export const NOTE_READ = Prisma.sql`
  update card k set page_read_at = c."readAt" from news c join revised v on v.id = c.id
  where c.was = 'sent' and c."sealedBody" is not null
    and k.message_id = c.id and k.at = c."eventAt" and k.account_id ${sameAs('c."accountId"')}
    and k.page_read_at < c."readAt"`;

/** Records that the page of a card was read now. */
export async function noteReadNow({ messageId, at }: { messageId: string; at: Date }): Promise<void> {
  await db().$executeRaw`
    update card set page_read_at = greatest(page_read_at, now())
    where message_id = ${messageId}::uuid and at = ${at}::timestamptz`;
}
