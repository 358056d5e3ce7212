import type { DeliveryView } from '@/lib/features/deliveries/schema';
import { isClockEvent } from '@/lib/features/matching/words';
import type { Rule } from '@/lib/features/rules/schema';

type Watched = Pick<Rule, 'eventType' | 'source'>;

const PLACES = { database: 'the database', page: 'the watched pages', workspace: 'the workspace' } as const;

/** What follows the oldest entry. */
export const END_OF_LOG = 'That is all. What was not posted is listed for 30 days.';

/** What a rule's log says while a view of it is empty. */
export function emptyLog(rule: Watched, view: DeliveryView): { title: string; text: string } {
  switch (view) {
    case 'all':
      return { title: 'Nothing has happened yet', text: whatComes(rule) };
    case 'posted':
      return { title: 'Nothing posted yet', text: 'Cards that Discord confirmed are listed here.' };
    case 'failed':
      return {
        title: 'Nothing failed',
        text: 'Cards that could not be delivered are listed here, to be sent again.',
      };
    case 'skipped':
      return {
        title: 'Nothing left out',
        text: 'What this rule did not post is listed here, with the reason.',
      };
  }
}

/** A rule for a clock has nothing to list until its time comes. */
function whatComes({ eventType, source }: Watched): string {
  return isClockEvent(eventType)
    ? 'This rule looks at its database at its set time. What it finds then is listed here.'
    : `Everything that happens in ${PLACES[source.kind]} is listed here within seconds, with what this rule made of it.`;
}
