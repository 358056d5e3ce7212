import type { Schedule } from '../calendar/schema';
import type { RuleTerms } from '../matching/schema';
import { type ClockEvent, isClockEvent } from '../matching/words';

const SHAPES: Record<ClockEvent, string> = {
  date_near: 'propertyId, days and at',
  page_untouched: 'days and at',
  summary: 'every and, but for each hour, at',
};

/** The event type that a schedule belongs to. */
const eventOf = (schedule: Schedule): ClockEvent =>
  'every' in schedule ? 'summary' : 'propertyId' in schedule ? 'date_near' : 'page_untouched';

/** Calls `refuse` with a sentence for each field that a clock rule cannot have, or that only a clock rule can have. */
export function refuseForClock(
  {
    eventType,
    schedule,
    card,
    timing,
    source,
  }: Pick<RuleTerms, 'eventType' | 'schedule' | 'card' | 'timing'> & {
    source?: { kind: string } | undefined;
  },
  refuse: (field: string, message: string) => void,
): void {
  if (!isClockEvent(eventType)) {
    if (schedule) refuse('schedule', `schedule does not go with eventType "${eventType}"`);
    return;
  }
  if (!schedule || eventOf(schedule) !== eventType) {
    refuse('schedule', `schedule of a rule with eventType "${eventType}" needs ${SHAPES[eventType]}`);
  }
  if (card !== 'each') refuse('eventType', `eventType "${eventType}" does not go with card "${card}"`);
  if (timing.kind === 'digest') {
    refuse('eventType', `eventType "${eventType}" has a schedule and does not go with a digest as timing`);
  }
  if (source && source.kind !== 'database') {
    refuse('source', `source must be a database with eventType "${eventType}"`);
  }
}
