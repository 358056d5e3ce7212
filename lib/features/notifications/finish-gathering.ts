import { z } from 'zod';
import { db, Prisma, type Transaction, transaction } from '@/lib/db/database';
import type { Delivery } from '@/lib/db/generated/client';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { buildAwayCard, type MissedLine, MOST_LINES } from './away-card';
import { NOT_CARRIED } from './gather';
import { sealMessage } from './sealed-message';
import { openSummary } from './summary';
import { wakeChannelsSql } from './wake-channels';

/** Fewer cards than this in a channel are no flood and are posted as they are. */
const SEVERAL = 3;

export const followAwayCardJob = defineJob({
  name: 'follow-away-card',
  payload: z.object({ carrierId: z.uuid() }),
  key: ['carrierId'],
});

/**
 * Ends the gathering of an account: several changes of one channel become one card, a few become the cards that
 * they would have been.
 */
export async function finishGathering(accountId: string): Promise<void> {
  const channels = await db().delivery.findMany({
    where: { accountId, ...NOT_CARRIED },
    distinct: ['channelId'],
    select: { channelId: true },
  });
  for (const { channelId } of channels) {
    await transaction((tx) => finishChannel(tx, accountId, channelId));
  }
}

async function finishChannel(tx: Transaction, accountId: string, channelId: string): Promise<void> {
  await tx.$queryRaw`select 1 from account where id = ${accountId}::uuid for key share`;
  // Whoever deleted its rule does not want to be told.
  const where = { accountId, channelId, ...NOT_CARRIED };
  await tx.delivery.deleteMany({ where: { ...where, ruleId: null } });
  const gathered = await tx.delivery.findMany({
    where,
    orderBy: [{ eventAt: 'asc' }, { sequence: 'asc' }],
    select: { id: true, eventAt: true, pageId: true },
  });
  const [carrier] = gathered;
  if (!carrier) return;
  // Those that were carried before have no cards of their own any more.
  const cards = await tx.delivery.count({ where: { ...where, sealedMessage: { not: null } } });
  if (gathered.length < SEVERAL && cards === gathered.length) {
    await tx.delivery.updateMany({ where, data: { state: 'waiting', reason: null } });
  } else {
    await carryAll(tx, where, carrier, gathered);
  }
  await tx.$executeRaw(
    wakeChannelsSql(Prisma.sql`select ${channelId}::text as channel_id, ${accountId}::uuid as account_id`),
  );
}

type Gathered = Pick<Delivery, 'id' | 'eventAt' | 'pageId'>;

async function carryAll(
  tx: Transaction,
  where: Prisma.DeliveryWhereInput,
  carrier: Gathered,
  gathered: Gathered[],
): Promise<void> {
  const message = buildAwayCard({
    lines: await readLines(tx, gathered),
    pages: new Set(gathered.map(({ pageId }) => pageId)).size,
    since: carrier.eventAt,
    until: gathered.at(-1)?.eventAt ?? carrier.eventAt,
  });
  await tx.delivery.updateMany({ where, data: { sealedMessage: null, gatheredInto: carrier.id } });
  await tx.delivery.updateMany({
    where: { id: carrier.id, eventAt: carrier.eventAt },
    data: {
      state: 'waiting',
      reason: null,
      gatheredInto: null,
      sealedMessage: sealMessage(carrier.id, message),
    },
  });
  await enqueue(tx, followAwayCardJob, { carrierId: carrier.id });
}

/** The first pages, each with what every rule of the channel noticed about it. */
async function readLines(tx: Transaction, gathered: Gathered[]): Promise<MissedLine[]> {
  const pageIds = [...new Set(gathered.map(({ pageId }) => pageId))].slice(0, MOST_LINES);
  const first = gathered.filter(({ pageId }) => pageIds.includes(pageId));
  const rows = await tx.delivery.findMany({
    where: { id: { in: first.map(({ id }) => id) } },
    select: { id: true, pageId: true, sealedSummary: true, rule: { select: { eventType: true } } },
  });
  return pageIds.flatMap((pageId) => {
    const told = rows.filter((row) => row.pageId === pageId && row.sealedSummary);
    const summaries = told.map(({ id, sealedSummary }) => openSummary(id, sealedSummary as Uint8Array));
    const [summary] = summaries;
    if (!summary) return [];
    const changes = new Map(summaries.flatMap((each) => each.changes).map((change) => [change.name, change]));
    const isNew = told.some(({ rule }) => rule?.eventType === 'page_created');
    return [{ ...summary, changes: [...changes.values()], isNew }];
  });
}
