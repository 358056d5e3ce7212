import type { Account } from '@/lib/db/generated/client';
import { clockOf } from '../calendar/clock-of';
import { type Preferences, preferencesSchema } from '../calendar/schema';

/** An account's time zone, quiet hours and language. */
export async function getPreferences(account: Account): Promise<Preferences> {
  const { timeZone, language } = account;
  return preferencesSchema.parse({
    ...clockOf(account),
    language,
    ...(timeZone === null && { isTimeZoneAssumed: true }),
  });
}
