import type { Account } from '@/lib/db/generated/client';
import { clockOf } from '../calendar/clock-of';
import { type Preferences, preferencesSchema } from '../calendar/schema';

/** An account's time zone, quiet hours and language. */
export async function getPreferences(account: Account): Promise<Preferences> {
  const clock = clockOf(account);
  return preferencesSchema.parse({
    ...clock,
    language: account.language,
    ...(clock.timeZone !== account.timeZone && { isTimeZoneAssumed: true }),
  });
}
