import { describeSchedule, describeTiming } from '../calendar/words';
import { meets, type Seen } from './conditions';
import { type KeepingRule, postsInForum } from './kept-cards';
import {
  type Authors,
  type CardMode,
  type EventType,
  type ReferringTerm,
  type RuleTerms,
  ruleTermsSchema,
} from './schema';
import { type ClockEvent, type ConditionNames, describeConditions, isClockEvent } from './words';

export interface FilteringRule extends RuleTerms {
  /** `statusPropertyId` is null when the database has no status property. */
  database: { statusPropertyId: string | null };
}

/** What the ids in the terms of a rule are called. */
export interface TermNames extends ConditionNames {
  /** The entries of a term that lists ids. */
  listed: (term: ReferringTerm) => string[];
  /** The status of the database; null when it has none. */
  status: string | null;
  person: (id: string) => string;
}

interface Filter {
  /** The term that it goes by. */
  term: keyof RuleTerms;
  /**
   * The properties that it looks at. None when the rule lets every page through; null stands for one that the database no
   * longer has.
   */
  looksAt: (rule: FilteringRule) => (string | null)[];
  passes: (rule: FilteringRule, seen: Seen) => boolean;
  /**
   * Whether `passes` handles values marked as uncomputed. Any other filter is undecided while a property that it looks
   * at is unknown.
   */
  judgesUnknown?: true;
  /** What the log says about a page that does not pass. */
  sentence: string;
  /** How it reads in the list of rules, after what the rule watches; empty when it lets every page through. */
  words?: (terms: RuleTerms, names: TermNames) => string;
}

const OF_CONDITIONS = {
  term: 'conditions',
  looksAt: ({ conditions }: FilteringRule) => conditions.items.map(({ propertyId }) => propertyId),
  judgesUnknown: true,
} as const;

/** The filters of a rule, by the reason recorded for a page that does not pass. */
export const FILTERS = {
  filtered_by_status: {
    term: 'statusTo',
    looksAt: ({ statusTo, database }) => (statusTo.length > 0 ? [database.statusPropertyId] : []),
    passes: ({ statusTo, database: { statusPropertyId } }, { page }) => {
      if (statusTo.length === 0) return true;
      const optionId = statusPropertyId === null ? undefined : page.values.get(statusPropertyId)?.optionId;
      return optionId !== undefined && statusTo.includes(optionId);
    },
    sentence: 'The status of the page is not one that the rule posts.',
  },
  filtered_by_condition: {
    ...OF_CONDITIONS,
    passes: ({ conditions }, seen) => meets(conditions, seen) !== false,
    sentence: 'The page does not meet the conditions of the rule.',
    words: ({ conditions }, names) => {
      const said = describeConditions(conditions, names);
      return said && `, if ${said}`;
    },
  },
  condition_unknown: {
    ...OF_CONDITIONS,
    passes: ({ conditions }, seen) => meets(conditions, seen) !== null,
    sentence:
      'It is unknown whether the page meets the conditions of the rule: Notion could not compute a value, a value is too long to be read in full, or an old one was not kept.',
  },
} as const satisfies Record<string, Filter>;

export type FilterReason = keyof typeof FILTERS;

const REASONS = Object.keys(FILTERS) as FilterReason[];
const filterOf = (reason: FilterReason): Filter => FILTERS[reason];

/** The reason recorded for a page that does not pass every filter of a rule; null when it does. */
export function findRefusal(rule: FilteringRule, seen: Seen): FilterReason | null {
  return REASONS.find((reason) => !filterOf(reason).passes(rule, seen)) ?? null;
}

/** Every reason for which the filters of a rule may refuse a page. */
export const possibleRefusals = (rule: FilteringRule): FilterReason[] =>
  REASONS.filter((reason) => filterOf(reason).looksAt(rule).length > 0);

/** The properties that the filters of a rule look at: all of them, or those with these reasons. */
export const filteredBy = (rule: FilteringRule, reasons = REASONS): string[] => [
  ...new Set(
    reasons.flatMap((reason) =>
      filterOf(reason)
        .looksAt(rule)
        .filter((id) => id !== null),
    ),
  ),
];

/** The filters of a rule that cannot be decided for a page, because a property is unknown. */
export const openFilters = (rule: FilteringRule, isKnown: (propertyId: string) => boolean): FilterReason[] =>
  REASONS.filter((reason) => {
    const { judgesUnknown, looksAt } = filterOf(reason);
    return !judgesUnknown && looksAt(rule).some((id) => id === null || !isKnown(id));
  });

/** The same rule without its filters: without all of them, or those with these reasons. */
export function withoutFilters<T extends RuleTerms>(rule: T, reasons = REASONS): T {
  const terms = reasons.map((reason) => filterOf(reason).term);
  return { ...rule, ...Object.fromEntries(terms.map((term) => [term, UNSET[term]])) };
}

/** The terms as they are in a rule that says nothing of them. */
const UNSET = ruleTermsSchema.omit({ eventType: true }).parse({}) as Partial<RuleTerms>;

const MAX_NAMED = 2;

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

/**
 * What a rule watches for, in words that follow the name of its database: "Status changes to Done". `hasCards` is false to
 * leave out what its cards are like.
 */
export function describeWatching(terms: RuleTerms, names: TermNames, hasCards = true): string {
  const { eventType, schedule, authors, urgent } = terms;
  const what = isClockEvent(eventType)
    ? schedule && describeSchedule(schedule, names)
    : eventType === 'page_updated'
      ? changesOf(names)
      : HAPPENINGS[eventType];
  const filters = REASONS.map((reason) => filterOf(reason).words?.(terms, names) ?? '').join('');
  const timing = describeTiming(terms.timing);
  const when = timing ? `, as a ${timing}` : urgent ? ', even in quiet hours' : '';
  return `${what}${byWhom(authors, names)}${filters}${when}${timing || !hasCards ? '' : cardsOf(terms)}`;
}

// A digest has no cards.
function cardsOf(cards: KeepingRule & Pick<RuleTerms, 'size' | 'rollUp'>): string {
  const kept = (postsInForum(cards) ? POSTS : CARDS)[cards.card];
  const size = cards.size === 'compact' ? ' · in one line' : '';
  return `${kept}${size}${cards.rollUp ? ' · floods counted' : ''}`;
}

function byWhom({ mode, people: ids, bots }: Authors, { person }: TermNames): string {
  const people = ids.map(person);
  if (mode === 'only') return `, by ${anyOf([...people, ...(bots ? ['bots'] : [])])}`;
  const without = [...(mode === 'except' ? people : []), ...(bots ? [] : ['bots'])];
  return without.length > 0 ? `, not by ${anyOf(without)}` : '';
}

function changesOf({ listed, status }: TermNames): string {
  const [properties, statuses] = [listed('watchedProperties'), listed('statusTo')];
  const changes = `${anyOf(properties)} ${properties.length > 1 ? 'change' : 'changes'}`;
  if (statuses.length === 0) return changes;
  const isStatusAlone = properties.length === 1 && properties[0] === status;
  return isStatusAlone
    ? `${changes} to ${anyOf(statuses)}`
    : `${changes} while ${status ?? 'the status'} is ${anyOf(statuses)}`;
}

function anyOf(names: string[]): string {
  const rest = names.length - MAX_NAMED;
  if (rest <= 0) return names.join(' or ');
  return `${names.slice(0, MAX_NAMED).join(', ')} or ${rest} ${rest === 1 ? 'other' : 'others'}`;
}
