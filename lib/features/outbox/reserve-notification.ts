import { Prisma, runStatement, type Transaction, transaction } from '@/lib/db/database';
import type { RowOf } from '@/lib/db/row-shape';
import { inBatches } from '@/lib/queue/in-batches';
import { inFairBatches } from '@/lib/queue/in-fair-batches';
import { currentPeriod } from '../billing/period';
import { lockSharedTrials } from '../billing/period-count';
import { type Stop, usedUp, whyStopped } from '../billing/posting-permission';
import { type BillingState, openPeriodSql } from '../billing/quota';
import { type Asked, type PendingMessage, type RESERVED_ROW, reserveSql } from './reserve-sql';

/** The period in which a message has one of the plan's notifications, null if it needs none; or why it has none. */
export type Reservation = { periodStart: Date | null } | { stopped: Stop };

const LARGEST_BATCH = 200;

/**
 * Reserves one of the account's notifications for a message before it is sent, and records that it may be sent from now
 * on. The reservation lasts until the message is sent or given up. Null when the message is gone, or another worker has
 * just made its reservation.
 */
export async function reserveNotification(
  account: BillingState,
  message: PendingMessage,
): Promise<Reservation | null> {
  const now = new Date();
  const stopped = whyStopped(account, now);
  if (stopped) return { stopped };
  if (message.usagePeriodStart) return { periodStart: message.usagePeriodStart };
  const period = currentPeriod(account, now);
  const asked = { message, accountId: account.id, period };
  let outcome = await reserve(asked);
  if (outcome === 'no_period') {
    await runStatement(openPeriodSql(account.id, period));
    outcome = await reserve(asked);
  }
  const isShared = outcome === 'shared';
  while (outcome === 'shared') outcome = await reserveShared(asked);
  if (outcome === 'reserved') return { periodStart: period.start };
  return outcome === 'full' ? { stopped: usedUp(account, isShared) } : null;
}

type Outcome = 'reserved' | 'full' | 'no_period' | 'shared' | 'gone';
type ReservedRow = RowOf<typeof RESERVED_ROW> & { outcome: Outcome };

const reserve = inFairBatches(
  async (asked: Asked[], patience): Promise<Outcome[]> => {
    const rows = await runStatement<ReservedRow>(reserveSql(asked, [], patience));
    const outcomes = new Map(rows.map(({ nr, outcome }) => [nr, outcome]));
    return asked.map((_, index) => outcomes.get(index + 1) ?? 'gone');
  },
  LARGEST_BATCH,
  ({ accountId }) => accountId,
);

/**
 * Reserves in a period that shares trials; `shared` again if it shares more of them by now. One batch at a time,
 * so that waiting for a trial's lock occupies only one connection.
 */
const reserveShared = inBatches(
  (batch: Asked[]): Promise<Outcome[]> =>
    transaction((tx) => Promise.all(batch.map((asked) => reserveInTrials(tx, asked)))),
  1,
);

async function reserveInTrials(tx: Transaction, asked: Asked): Promise<Outcome> {
  const { hashes, areUsedUp } = await lockSharedTrials(tx, asked.accountId, asked.period.start);
  if (areUsedUp) return 'full';
  const [row] = await tx.$queryRaw<ReservedRow[]>(reserveSql([asked], hashes, Prisma.sql`true`));
  return row?.outcome ?? 'gone';
}
