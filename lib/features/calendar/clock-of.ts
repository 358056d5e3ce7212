import { ASSUMED_ZONE, type Clock } from './calendar';
import type { QuietHours } from './schema';

/** An account as far as it has a clock. */
export interface AccountClock {
  timeZone: string | null;
  quietHours: unknown;
}

/** The clock by which an account's digests and quiet hours go. */
export const clockOf = ({ timeZone, quietHours }: AccountClock): Clock => ({
  timeZone: timeZone ?? ASSUMED_ZONE,
  // Written only by the preferences, from this very type.
  quietHours: quietHours as QuietHours | null,
});
