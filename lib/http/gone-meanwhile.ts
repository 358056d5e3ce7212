import { accountDeleted } from '@/lib/auth/account';
import { db } from '@/lib/db/database';
import { isRowGone } from '@/lib/db/row-gone';
import { AppError } from '@/lib/errors';
import { log } from '@/lib/log';

/**
 * The error for a caller whose account was deleted during a call, or something that the call needed, such as a workspace
 * that was disconnected; the same error when nothing was.
 */
export async function afterDeletion(error: unknown, accountId: string): Promise<unknown> {
  if (!isRowGone(error)) return error;
  if ((await db().account.count({ where: { id: accountId } })) === 0) return accountDeleted();
  log.warn({ err: error }, 'a row was deleted during the call');
  return new AppError(
    'conflict',
    'Something that this needs was deleted or disconnected meanwhile. Load the page again.',
  );
}
