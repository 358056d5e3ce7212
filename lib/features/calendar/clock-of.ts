import { ASSUMED_ZONE, type Clock } from './calendar';
import type { QuietHours } from './schema';

/** The columns of an account that make its clock. */
export interface AccountClock {
  timeZone: string | null;
  quietHours: unknown;
}

/** The clock for an account's digests and quiet hours. */
export const clockOf = ({ timeZone, quietHours }: AccountClock): Clock => ({
  timeZone: timeZone ?? ASSUMED_ZONE,
  // Written only by the preferences, from this very type.
  quietHours: quietHours as QuietHours | null,
});
