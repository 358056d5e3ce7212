import { meets, type Seen } from './conditions';
import { type KeepingRule, postsInForum } from './kept-cards';
import type { Authors, CardMode, EventType, RuleTerms } from './schema';
import { type ClockEvent, isClockEvent } from './words';

export interface FilteringRule extends RuleTerms {
  /** `statusPropertyId` is null when the database has no status property. */
  database: { statusPropertyId: string | null };
}

interface Filter {
  /** What the log says about a page that does not pass. */
  sentence: string;
  passes: (rule: FilteringRule, seen: Seen) => boolean;
}

/** The filters of a rule, by the reason recorded for a page that does not pass. */
export const FILTERS = {
  filtered_by_status: {
    sentence: 'The status of the page is not one that the rule posts.',
    passes: ({ statusTo, database: { statusPropertyId } }, { page }) => {
      if (statusTo.length === 0) return true;
      const optionId = statusPropertyId === null ? undefined : page.values.get(statusPropertyId)?.optionId;
      return optionId !== undefined && statusTo.includes(optionId);
    },
  },
  filtered_by_condition: {
    sentence: 'The page does not meet the conditions of the rule.',
    passes: ({ conditions }, seen) => meets(conditions, seen) !== false,
  },
  condition_unknown: {
    sentence:
      'Whether the page meets the conditions of the rule is not known: Notion could not compute a value, or nobody kept an old one.',
    passes: ({ conditions }, seen) => meets(conditions, seen) !== null,
  },
} as const satisfies Record<string, Filter>;

export type FilterReason = keyof typeof FILTERS;

/** The reason recorded for a page that does not pass every filter of a rule; null when it does. */
export function findRefusal(rule: FilteringRule, seen: Seen): FilterReason | null {
  const reasons = Object.keys(FILTERS) as FilterReason[];
  return reasons.find((reason) => !FILTERS[reason].passes(rule, seen)) ?? null;
}

const MOST_NAMED = 2;

/** The names of the things to which a rule's terms refer. */
interface Watched {
  properties: string[];
  /** The name of the database's status; null when it has none. */
  status: string | null;
  /** The statuses that the filter lets through; empty means any. */
  statuses: string[];
  /** Whose work is posted, with the names of the people. */
  authors: Authors;
  /** The conditions in words, as they follow "if"; empty without any. */
  conditions: string;
  /** When the rule's digest comes, in words; null when it posts at once. */
  timing: string | null;
  /** When the clock fires the rule, in words; null for a rule about events in Notion. */
  schedule: string | null;
  urgent: boolean;
  /** What its cards are like; null to leave that out. */
  cards: (KeepingRule & Pick<RuleTerms, 'size' | 'rollUp'>) | null;
}

const CARDS: Record<CardMode, string> = {
  each: '',
  living: ' · one card for each page, with a thread',
  quiet: ' · one card for each page',
};

const POSTS: Record<CardMode, string> = {
  each: ' · one post for each page',
  living: ' · one post for each page, with lines',
  quiet: ' · one post for each page, with silent lines',
};

const HAPPENINGS: Record<Exclude<EventType, 'page_updated' | ClockEvent>, string> = {
  page_created: 'new pages',
  content_updated: 'edited content',
  comment_created: 'new comments',
  page_deleted: 'pages moved to the trash',
  page_restored: 'restored pages',
};

/** What a rule watches for, in words that follow the name of its database: "Status changes to Done". */
export function describeWatching(eventType: EventType, watched: Watched): string {
  const what = isClockEvent(eventType)
    ? watched.schedule
    : eventType === 'page_updated'
      ? changesOf(watched)
      : HAPPENINGS[eventType];
  const condition = watched.conditions && `, if ${watched.conditions}`;
  const when = watched.timing ? `, as a ${watched.timing}` : watched.urgent ? ', even in quiet hours' : '';
  return `${what}${byWhom(watched.authors)}${condition}${when}${watched.timing || !watched.cards ? '' : cardsOf(watched.cards)}`;
}

// A digest has no cards.
function cardsOf(cards: NonNullable<Watched['cards']>): string {
  const kept = (postsInForum(cards) ? POSTS : CARDS)[cards.card];
  const size = cards.size === 'compact' ? ' · in one line' : '';
  return `${kept}${size}${cards.rollUp ? ' · floods counted' : ''}`;
}

function byWhom({ mode, people, bots }: Authors): string {
  if (mode === 'only') return `, by ${anyOf([...people, ...(bots ? ['bots'] : [])])}`;
  const without = [...(mode === 'except' ? people : []), ...(bots ? [] : ['bots'])];
  return without.length > 0 ? `, not by ${anyOf(without)}` : '';
}

function changesOf({ properties, status, statuses }: Watched): string {
  const changes = `${anyOf(properties)} ${properties.length > 1 ? 'change' : 'changes'}`;
  if (statuses.length === 0) return changes;
  const isStatusAlone = properties.length === 1 && properties[0] === status;
  return isStatusAlone
    ? `${changes} to ${anyOf(statuses)}`
    : `${changes} while ${status ?? 'the status'} is ${anyOf(statuses)}`;
}

function anyOf(names: string[]): string {
  const rest = names.length - MOST_NAMED;
  if (rest <= 0) return names.join(' or ');
  return `${names.slice(0, MOST_NAMED).join(', ')} or ${rest} ${rest === 1 ? 'other' : 'others'}`;
}
