import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { enqueue } from '@/lib/queue/enqueue';
import { channelJobKey } from './deliveries';

/** Lets a failed card wait for its channel again. Throws `not_found`, and `conflict` unless it failed. */
export async function resendDelivery(
  account: Account,
  ruleId: string,
  deliveryId: string,
): Promise<{ resent: true }> {
  await db().$transaction(async (tx) => {
    const failed = await tx.delivery.findFirst({ where: { id: deliveryId, ruleId, accountId: account.id } });
    if (!failed) throw new AppError('not_found', 'No such delivery.');
    const { count } = await tx.delivery.updateMany({
      where: { id: deliveryId, state: 'failed', sealedMessage: { not: null } },
      data: { state: 'waiting', reason: null, finishedAt: null, createdAt: new Date() },
    });
    if (count === 0) throw new AppError('conflict', 'Only a failed card can be sent again.');
    const key = channelJobKey(failed.channelId);
    await enqueue(tx, { name: 'deliver-channel', payload: { channelId: failed.channelId }, key, queue: key });
  });
  return { resent: true };
}
