import { Prisma, transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { clockOf } from '../calendar/clock-of';
import type { Preferences, PreferencesInput } from '../calendar/schema';
import { planClocks } from '../clocks/plan-clocks';
import { planDigests } from '../digests/plan-digests';
import { audit } from '../tenancy/audit';
import { lockAccount } from '../tenancy/lock-account';
import { getPreferences } from './queries';

/** Replaces an account's preferences, and recalculates when waiting digests and clock rules are due. */
export async function savePreferences(
  { id }: Account,
  { timeZone, quietHours, language }: PreferencesInput,
): Promise<Preferences> {
  const account = await transaction(async (tx) => {
    await lockAccount(tx, id);
    const before = clockOf(await tx.account.findUniqueOrThrow({ where: { id } }));
    const data = { timeZone, quietHours: quietHours ?? Prisma.DbNull, language };
    const saved = await tx.account.update({ where: { id }, data });
    await planDigests(tx, id, { before });
    await planClocks(tx, id);
    await audit(tx, id, 'preferences.updated', id);
    return saved;
  });
  return getPreferences(account);
}
