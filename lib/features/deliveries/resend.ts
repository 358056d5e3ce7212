import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import type { RowOf } from '@/lib/db/row-shape';
import { AppError } from '@/lib/errors';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import { invalidateReading } from '../servers/read-guild';
import { RESENDS_A_MINUTE, type RESENT_ROW, resendSql } from './resend-sql';

/**
 * Sends a failed card again: it waits behind its channel's other cards, makes a new reservation, and Discord is asked
 * about its channel again. If it may have been posted, the channel is searched for it first. Throws `not_found`,
 * `conflict` for a card that has not failed, is no longer kept or is of a rule that is off, and `rate_limited`.
 */
export async function resendDelivery(
  account: Pick<Account, 'id'>,
  ruleId: string,
  deliveryId: string,
): Promise<{ resent: true }> {
  await limitOutsideCalls(account.id);
  // The channel may have been opened since it was read.
  await invalidateReading(account.id);
  const [found] = await db().$queryRaw<RowOf<typeof RESENT_ROW>[]>(resendSql(account.id, ruleId, deliveryId));
  if (!found?.exists) throw new AppError('not_found', 'No such delivery.');
  if (found.hasFailed && found.isOff) {
    throw new AppError('conflict', 'The rule is switched off. Switch it on to send its cards again.');
  }
  if (found.hasFailed && !found.may) {
    throw new AppError('conflict', 'This card is no longer kept. A card that failed is kept for 30 days.');
  }
  if (!found.may) throw new AppError('conflict', 'Only a card that failed can be sent again.');
  if (!found.resent) {
    throw new AppError(
      'rate_limited',
      `${RESENDS_A_MINUTE} cards of this channel were sent again within a minute. Try again in a few seconds.`,
    );
  }
  return { resent: true };
}
