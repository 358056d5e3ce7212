import { Prisma } from '@/lib/db/database';
import type { Clock } from './calendar';
import { isTimeZone, type QuietHours } from './schema';

// The zone of an account that has chosen none, or one that is not known here.
const ASSUMED_ZONE = 'UTC';

/** The columns of an account that make its clock. */
export interface AccountClock {
  timeZone: string | null;
  quietHours: unknown;
}

/** The AccountClock of an account `a`, as JSON. */
export const ACCOUNT_CLOCK = Prisma.sql`json_build_object('timeZone', a.time_zone, 'quietHours', a.quiet_hours)`;

/** The clock for an account's digests and quiet hours. */
export const clockOf = ({ timeZone, quietHours }: AccountClock): Clock => ({
  timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : ASSUMED_ZONE,
  // Written only by the preferences, from this very type.
  quietHours: quietHours as QuietHours | null,
});
