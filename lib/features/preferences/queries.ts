import type { Account } from '@/lib/db/generated/client';
import { clockOf } from '../calendar/clock-of';
import { type Preferences, preferencesSchema } from '../calendar/schema';

/** By which clock an account goes, when it is quiet, and its language. */
export async function getPreferences(account: Account): Promise<Preferences> {
  const { timeZone, language } = account;
  return preferencesSchema.parse({
    ...clockOf(account),
    language,
    ...(timeZone === null && { isTimeZoneAssumed: true }),
  });
}
