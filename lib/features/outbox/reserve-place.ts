import { Prisma, runStatement, type Transaction, transaction } from '@/lib/db/database';
import type { RowOf } from '@/lib/db/row-shape';
import { inBatches } from '@/lib/queue/in-batches';
import { inFairBatches } from '@/lib/queue/in-fair-batches';
import { currentPeriod } from '../billing/period';
import { lockSharedTrials } from '../billing/period-count';
import { type AccountStanding, openPeriodSql } from '../billing/quota';
import { type Stop, usedUp, whyStopped } from '../billing/standing';
import { type Asked, type PendingMessage, type PLACED_ROW, placeSql } from './place-sql';

/** A place within the plan for one message, null for one that needs none; or why there is none. */
export type Place = { periodStart: Date | null } | { stopped: Stop };

const LARGEST_BATCH = 200;

/**
 * Takes a place in the account's period for a message before it is sent, and records that it may be sent from now on. A
 * message keeps its place until it is sent or given up. Null when the message is gone, or another worker has just taken
 * a place for it.
 */
export async function reservePlace(account: AccountStanding, message: PendingMessage): Promise<Place | null> {
  const now = new Date();
  const stopped = whyStopped(account, now);
  if (stopped) return { stopped };
  if (message.usagePeriodStart) return { periodStart: message.usagePeriodStart };
  const period = currentPeriod(account, now);
  const asked = { message, accountId: account.id, period };
  let answer = await takePlace(asked);
  if (answer === 'no_period') {
    await runStatement(openPeriodSql(account.id, period));
    answer = await takePlace(asked);
  }
  const isShared = answer === 'shared';
  while (answer === 'shared') answer = await takeSharedPlace(asked);
  if (answer === 'placed') return { periodStart: period.start };
  return answer === 'full' ? { stopped: usedUp(account, isShared) } : null;
}

type Answer = 'placed' | 'full' | 'no_period' | 'shared' | 'gone';
type PlacedRow = RowOf<typeof PLACED_ROW> & { answer: Answer };

const takePlace = inFairBatches(
  async (asked: Asked[], patience): Promise<Answer[]> => {
    const rows = await runStatement<PlacedRow>(placeSql(asked, [], patience));
    const answers = new Map(rows.map(({ nr, answer }) => [nr, answer]));
    return asked.map((_, index) => answers.get(index + 1) ?? 'gone');
  },
  LARGEST_BATCH,
  ({ accountId }) => accountId,
);

/**
 * Takes a place in a period that shares trials; `shared` again if it shares more of them by now. One batch at a time,
 * so that waiting for a trial's lock occupies only one connection.
 */
const takeSharedPlace = inBatches(
  (batch: Asked[]): Promise<Answer[]> =>
    transaction((tx) => Promise.all(batch.map((asked) => placeInTrials(tx, asked)))),
  1,
);

async function placeInTrials(tx: Transaction, asked: Asked): Promise<Answer> {
  const { hashes, areUsedUp } = await lockSharedTrials(tx, asked.accountId, asked.period.start);
  if (areUsedUp) return 'full';
  const [row] = await tx.$queryRaw<PlacedRow[]>(placeSql([asked], hashes, Prisma.sql`true`));
  return row?.answer ?? 'gone';
}
