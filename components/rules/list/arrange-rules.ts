import { isolate, withoutMarks } from '@/lib/bidi';
import type { Rule } from '@/lib/features/rules/schema';
import { foldText } from '@/lib/fold-text';

/** With fewer rules than this, there is nothing to search for. */
export const ARRANGED_FROM = 5;

export const SORTS = {
  newest: 'Newest first',
  database: 'Database',
  channel: 'Channel',
  state: 'Trouble first',
  card: 'Last card',
} as const;

type Sort = keyof typeof SORTS;

export const STATES = { on: 'On', off: 'Off', trouble: 'In trouble' } as const;

type StateFilter = keyof typeof STATES;

export interface Arrangement {
  text: string;
  databaseId: string;
  channelId: string;
  state: StateFilter | '';
  sort: Sort;
}

/**
 * Reads the arrangement from the address. Unknown values count as absent. Links to other pages keep the query, so its
 * names differ from those of Activity's filters.
 */
export function readArrangement(query: Pick<URLSearchParams, 'get'>): Arrangement {
  const state = query.get('state') ?? '';
  const sort = query.get('sort') ?? '';
  return {
    text: query.get('find') ?? '',
    databaseId: query.get('database') ?? '',
    channelId: query.get('place') ?? '',
    state: Object.hasOwn(STATES, state) ? (state as StateFilter) : '',
    sort: Object.hasOwn(SORTS, sort) ? (sort as Sort) : 'newest',
  };
}

/** Writes the arrangement into the query and keeps its other parameters. */
export function writeArrangement(query: URLSearchParams, arrangement: Arrangement): URLSearchParams {
  const { text, databaseId, channelId, state, sort } = arrangement;
  const next = new URLSearchParams(query);
  const values = {
    find: text,
    database: databaseId,
    place: channelId,
    state,
    sort: sort === 'newest' ? '' : sort,
  };
  for (const [name, value] of Object.entries(values)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}

/** Identifies a rule's source among the filters. */
export const sourceKey = ({ source }: Rule) =>
  source.kind === 'database' ? source.databaseId : source.kind === 'page' ? source.pageId : source.kind;

/** Identifies a rule's place among the filters. */
export const placeKey = ({ channelId, place }: Rule) => channelId ?? place;

/** The rules that pass the filters, in the chosen order. `rules` must be sorted newest first. */
export function arrangeRules(rules: Rule[], arrangement: Arrangement): Rule[] {
  const { databaseId, channelId, state, sort } = arrangement;
  const text = foldText(arrangement.text.trim());
  const kept = rules.filter(
    (rule) =>
      (!databaseId || sourceKey(rule) === databaseId) &&
      (!channelId || placeKey(rule) === channelId) &&
      (!state || isIn(rule, state)) &&
      foldText(withoutMarks(sentenceOf(rule))).includes(text),
  );
  return kept.toSorted((one, other) => ORDERS[sort](one, other));
}

/** The rule as one sentence, after its name if it has one. */
export const sentenceOf = ({ name, sourceName, watching, place }: Rule) =>
  `${name === null ? '' : `${isolate(name)} · `}${isolate(sourceName)}: ${watching} → ${isolate(place)}`;

/** A rule's title: its name, or else its source and its place. */
export const titleOf = ({ name, sourceName, place }: Rule) =>
  name ?? `${isolate(sourceName)} → ${isolate(place)}`;

const TROUBLES: Rule['health']['state'][] = ['blocked', 'broken', 'failed', 'held', 'waiting'];

function isIn({ enabled, health }: Rule, state: StateFilter): boolean {
  if (state === 'trouble') return TROUBLES.includes(health.state);
  return enabled === (state === 'on');
}

function rankOf({ health }: Rule): number {
  const rank = TROUBLES.indexOf(health.state);
  return rank < 0 ? TROUBLES.length : rank;
}

const ORDERS: Record<Sort, (one: Rule, other: Rule) => number> = {
  newest: () => 0,
  database: (one, other) => one.sourceName.localeCompare(other.sourceName),
  channel: (one, other) => one.place.localeCompare(other.place),
  state: (one, other) => rankOf(one) - rankOf(other),
  card: (one, other) => (other.lastDelivery?.at ?? '').localeCompare(one.lastDelivery?.at ?? ''),
};
