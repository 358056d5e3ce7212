import { db } from '@/lib/db/database';
import { AppError } from '@/lib/errors';
import type { Destination } from '../matching/schema';

/** Throws `invalid_input` when a rule is to write to somebody who is not linked. */
export async function requireLinked(accountId: string, destination: Destination): Promise<void> {
  if (destination.kind !== 'person') return;
  const { discordUserId } = destination;
  const link = await db().accountLink.findFirst({ where: { accountId, discordUserId } });
  if (link) return;
  throw new AppError(
    'invalid_input',
    'destination.discordUserId: nobody with this Discord id is linked. Link them under Accounts first.',
  );
}
