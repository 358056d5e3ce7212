import { type Clock, tellLaterAt } from '../calendar/calendar';

/** When people who chose digests get them. */
const MORNING = { kind: 'digest', every: 'day', at: '09:00' } as const;

/** When the next morning's digest of a person is due. */
export const nextMorning = (clock: Clock, now: Date): Date =>
  tellLaterAt({ timing: MORNING, urgent: false }, clock, now) ?? now;

/**
 * When a person with digests gets what a rule would send at `ruleTellAt`, or at once if that is null: in the next
 * morning's digest, or at the rule's time if that is later.
 */
export function digestAt(ruleTellAt: Date | null, clock: Clock, now: Date): Date {
  const morning = nextMorning(clock, now);
  return ruleTellAt && ruleTellAt > morning ? ruleTellAt : morning;
}
