import { Prisma, type Transaction } from '@/lib/db/database';
import { hasRun, lookedUp, sameAs } from '@/lib/db/planner-hints';
import type { MessageKey } from './change-waiting';
import { wakeChannelsSql } from './queue-messages';

/** A message without a reservation, which therefore is not on its way. */
export const IS_UNRESERVED = Prisma.sql`usage_period_start is null`;

/** Deletes a message that still waits, if the condition `may` holds. */
export const dropWaitingSql = ({ id, at }: MessageKey, may: Prisma.Sql) => Prisma.sql`
  delete from message where id = ${id}::uuid and at = ${at}::timestamptz and state = 'waiting' and ${may}`;

/** Deletes the messages that the part `locked` of a statement has locked, found by its `id` and `at`. */
export const dropLockedSql = (locked: string) => {
  const part = Prisma.raw(locked);
  return Prisma.sql`delete from message m using ${part} where m.id = ${part}.id and m.at = ${part}.at`;
};

/**
 * Deletes the edits that the rows of a part name by `edit_id` and `edit_at`, if they still wait. `which` selects the
 * rows.
 */
export const dropLastEditsSql = (named: string, which: Prisma.Sql) => Prisma.sql`
  delete from message m using ${Prisma.raw(named)}
  where ${which} and m.id = ${lookedUp(`${named}.edit_id`)} and m.at = ${Prisma.raw(named)}.edit_at
    and m.kind = 'edit' and m.state = 'waiting'`;

/** Deletes the waiting edits of the messages in a part, found by `discord_message_id` and `account_id`. */
export const dropEditsOfSql = (posted: string) => Prisma.sql`
  delete from message m using ${Prisma.raw(posted)}
  where m.discord_message_id = ${lookedUp(`${posted}.discord_message_id`)} and m.account_id ${sameAs(`${posted}.account_id`)}
    and m.kind = 'edit' and m.state = 'waiting'`;

/** Deletes messages that are kept back. */
export const dropKeptSql = (ids: string[]) =>
  Prisma.sql`delete from message where id = any(${ids}::uuid[]) and state = 'kept'`;

/**
 * Drops the messages of sources that the transaction has deleted: from then on nobody can queue more for them, and
 * everything queued before is seen here. Only a card that is being refreshed meanwhile may still get that edit, which
 * does no harm. Messages that wait or are kept back are deleted. A message with a reservation
 * in a period may be on its way: it loses its source and is left to the channel's turn, which counts it if Discord
 * confirms it and otherwise drops it; a letter to a person is left to their conversation. The bodies of held and failed
 * messages are deleted, because nobody can look at them any more. Locks those that wait in the order of their ids, as the
 * results of calls do.
 */
export async function dropMessages(tx: Transaction, sourceIds: string[]): Promise<void> {
  await tx.$executeRaw`
    with locked as (
      select 1 from message where source_id = any(${sourceIds}::uuid[]) and state = 'waiting' order by id for update
    )
    delete from message where source_id = any(${sourceIds}::uuid[])
      and state in ('waiting', 'kept') and ${IS_UNRESERVED} and ${hasRun('locked')}`;
  await tx.$executeRaw`
    with left_over as (
      update message set source_id = null, sealed_body = case when state = 'waiting' then sealed_body end
      where source_id = any(${sourceIds}::uuid[]) and state in ('waiting', 'held', 'failed')
      returning target_id, account_id, state, kind
    )
    ${wakeChannelsSql(Prisma.sql`select target_id, account_id from left_over
      where state = 'waiting' and kind <> 'letter'`)}`;
}
