import { Prisma, runStatement, type Transaction, transaction } from '@/lib/db/database';
import type { RowOf } from '@/lib/db/row-shape';
import { log } from '@/lib/log';
import { metrics, showFromStart } from '@/lib/metrics';
import { releaseReservationsSql } from '../billing/quota';
import { REFUSAL_CODES } from '../calls/discord-refusal';
import { dropLockedSql } from '../messages/drop-messages';
import { type ENDED_ROW, type Ending, endSql } from './end-sql';

const FAIL_CODES = [...REFUSAL_CODES, 'channel_stopped', 'key_gone', 'unreadable', 'internal_error'] as const;

/** Why messages ended, as one word for the metrics. */
export type EndCode = (typeof FAIL_CODES)[number] | 'quota' | 'plan';

// A channel that stops fails many at once.
showFromStart(
  metrics.deliveries,
  FAIL_CODES.map((reason) => ({ state: 'failed', reason })),
);

/**
 * Ends waiting messages as failed or held, and releases their reservations, because they were not sent. A message that
 * may have been posted although its answer was lost keeps the time of that attempt; the channel is searched for it
 * before it is sent again. A caller that ends messages other than its own must hold the channel's turn, so that none of
 * them is being sent. Locks the account before the messages, as its deletion does. `also` runs in the same transaction.
 */
export async function endMessages(
  { also, ...which }: Ending & { also?: (tx: Transaction) => Promise<void> },
  state: 'failed' | 'held',
  reason: string,
  code: EndCode,
): Promise<void> {
  type Ended = RowOf<typeof ENDED_ROW>;
  const statement = endSql(which, state, reason);
  const ended = also
    ? await transaction(async (tx) => {
        const rows = await tx.$queryRaw<Ended[]>(statement);
        await also(tx);
        return rows;
      })
    : await runStatement<Ended>(statement);
  if (ended.length === 0) return;
  metrics.deliveries.inc({ state, reason: code }, ended.length);
  log.debug({ deliveryIds: ended.map(({ id }) => id), state, code }, 'messages ended');
}

/** Deletes waiting messages whose sources are gone and releases their reservations. */
export async function dropOrphans(messages: { id: string; at: Date }[]): Promise<void> {
  await runStatement(Prisma.sql`
    with orphan as (
      select m.id, m.at, m.account_id, m.usage_period_start as start
      from unnest(${messages.map(({ id }) => id)}::uuid[], ${messages.map(({ at }) => at)}::timestamptz[])
        as o (id, at)
      join message m on m.id = o.id and m.at = o.at and m.state = 'waiting' and m.source_id is null
      join account a on a.id = m.account_id
      order by a.id, m.id for key share of a for update of m
    ), dropped as (
      ${dropLockedSql('orphan')}
    )
    ${releaseReservationsSql('orphan')}`);
}
