import { dayInWords } from '@/lib/time';
import type { Condition, Conditions, Destination, EventType, Operator, Value } from './schema';

// The title has this id on every page.
export const TITLE_ID = 'title';

/** What to do about a connection that may not read comments. */
export const COMMENTS_REFUSED =
  'Notion does not let Pagewire read comments. Whoever runs Pagewire can tick the capability “Read comments” for its connection in Notion’s developer portal; if that is done, connect the workspace again.';

/** The name of each event type where it is chosen, and on cards. */
export const EVENT_NAMES: Record<EventType, string> = {
  page_created: 'Page Created',
  page_updated: 'Page Updated',
  content_updated: 'Content Edited',
  comment_created: 'Comment Added',
  page_deleted: 'Page Moved to Trash',
  page_restored: 'Page Restored',
  date_near: 'Date Near',
  page_untouched: 'Page Untouched',
  summary: 'Summary',
};

/** What happened, in the log. */
export const EVENT_WORDS: Record<EventType, string> = {
  page_created: 'Page created',
  page_updated: 'Page updated',
  content_updated: 'Content edited',
  comment_created: 'Comment added',
  page_deleted: 'Moved to the trash',
  page_restored: 'Restored',
  date_near: 'Date near',
  page_untouched: 'Untouched',
  summary: 'Summary',
};

/** The event types that a clock fires, not something that happens in Notion. */
const CLOCK_EVENTS = ['date_near', 'page_untouched', 'summary'] as const satisfies EventType[];

export type ClockEvent = (typeof CLOCK_EVENTS)[number];

/** Whether a clock fires the rules of an event type. */
export const isClockEvent = (eventType: EventType): eventType is ClockEvent =>
  (CLOCK_EVENTS as readonly EventType[]).includes(eventType);

/** Where a rule posts: in a channel, to one person, or to the people in a property. */
interface Place {
  kind: 'channel' | 'person' | 'people';
  /** The name of the channel, the person or the property; null for a person who is no longer linked. */
  name: string | null;
}

/** A place in words: "#design", "Ines Ito", "whoever is in Assignee". */
export function placeInWords({ kind, name }: Place): string {
  if (kind === 'channel') return `#${name}`;
  return kind === 'person' ? (name ?? 'somebody who is not linked') : `whoever is in ${name}`;
}

/** How a property is compared. */
export type Kind =
  | 'text'
  | 'option'
  | 'options'
  | 'people'
  | 'pages'
  | 'number'
  | 'uniqueId'
  | 'checkbox'
  | 'date'
  | 'result'
  | 'other';

const KINDS: Record<string, Kind> = {
  title: 'text',
  rich_text: 'text',
  url: 'text',
  email: 'text',
  phone_number: 'text',
  status: 'option',
  select: 'option',
  multi_select: 'options',
  people: 'people',
  created_by: 'people',
  last_edited_by: 'people',
  relation: 'pages',
  number: 'number',
  unique_id: 'uniqueId',
  checkbox: 'checkbox',
  date: 'date',
  created_time: 'date',
  last_edited_time: 'date',
  formula: 'result',
  rollup: 'result',
};

/** The kind of a property's type in Notion; `other` for one that can only be empty or change. */
export const kindOf = (type: string): Kind => KINDS[type] ?? 'other';

const ANY: Operator[] = ['is_empty', 'is_not_empty', 'changed'];
const EQUAL: Operator[] = ['is', 'is_not'];
const CONTAINING: Operator[] = ['contains', 'does_not_contain'];
const COMPARING: Operator[] = ['greater', 'less'];
const DATING: Operator[] = ['before', 'after', 'within_next_days', 'within_past_days'];

/** The operators that fit each kind. The type of a formula's or rollup's result is known only once a page is read. */
export const OPERATORS_OF: Record<Kind, Operator[]> = {
  text: [...EQUAL, ...CONTAINING, ...ANY],
  option: [...EQUAL, ...ANY],
  options: [...CONTAINING, ...ANY],
  people: [...CONTAINING, ...ANY],
  pages: [...CONTAINING, ...ANY],
  number: [...EQUAL, ...COMPARING, ...ANY],
  uniqueId: [...EQUAL, ...ANY],
  checkbox: [...EQUAL, ...ANY],
  date: [...DATING, ...ANY],
  result: [...EQUAL, ...CONTAINING, ...COMPARING, ...DATING, ...ANY],
  other: ANY,
};

/** The name of each operator where it is chosen. */
export const OPERATOR_WORDS: Record<Operator, string> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  does_not_contain: 'does not contain',
  greater: 'is more than',
  less: 'is less than',
  before: 'is before',
  after: 'is after',
  within_next_days: 'is within the next',
  within_past_days: 'is within the past',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  changed: 'changed',
};

/** Whether an operator compares a date with a number of days from now. */
export const countsDays = (operator: Operator): boolean =>
  operator === 'within_next_days' || operator === 'within_past_days';

/** The most days from now with which a condition compares a date. */
export const MAX_DAYS_FROM_NOW = 3650;

/** The names of the properties and values in conditions. */
export interface ConditionNames {
  property: (id: string) => string;
  value: (propertyId: string, value: Value) => string;
}

const MAX_NAMED = 2;

/** Conditions in words, as they follow "if"; empty without any. */
export function describeConditions({ match, items }: Conditions, names: ConditionNames): string {
  const all = items.map((item) => describeCondition(item, names));
  const shown = all.slice(0, MAX_NAMED);
  const rest = all.length - shown.length;
  const word = match === 'all' ? 'and' : 'or';
  return rest > 0 ? `${shown.join(', ')} ${word} ${rest} more` : shown.join(` ${word} `);
}

function describeCondition(condition: Condition, { property, value }: ConditionNames): string {
  const name = property(condition.propertyId);
  const oneOf = (values: Value[]) => listed(values.map((each) => value(condition.propertyId, each)));
  if ('from' in condition) {
    const { from, to } = condition;
    return `${name} changed${from.length > 0 ? ` from ${oneOf(from)}` : ''}${to.length > 0 ? ` to ${oneOf(to)}` : ''}`;
  }
  const words = OPERATOR_WORDS[condition.operator];
  if (!('values' in condition)) return `${name} ${words}`;
  const { operator, values } = condition;
  if (countsDays(operator)) {
    return `${name} ${words} ${values[0] === 1 ? 'day' : `${values[0]} days`}`;
  }
  return `${name} ${words} ${oneOf(values)}`;
}

function listed(names: string[]): string {
  const shown = names.slice(0, names.length > MAX_NAMED + 1 ? MAX_NAMED : names.length);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} or ${rest} others`;
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : (names[0] ?? '');
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A value without a name, in words: a day, a number, a text, or whether something is checked. */
export function plainValue(value: Value): string {
  if (typeof value === 'boolean') return value ? 'checked' : 'not checked';
  if (typeof value === 'number') return String(value);
  return DAY.test(value) ? dayInWords(value) : `“${value}”`;
}

/** The source of a rule that watches everything, in words. */
export const EVERYTHING = 'Everything shared';

const SUBPAGES_WORDS = { none: '', children: ' and its subpages', all: ' and all below' };

/** The name of a source, without its subpages. A page that Notion has just shown may have no title. */
export const nameOfSource = ({
  database,
  page,
}: {
  database: { name: string } | null;
  page: { title: string | null } | null;
}): string => {
  const title = page?.title ?? null;
  return database?.name ?? (title === null ? EVERYTHING : title.trim() || 'Untitled');
};

/** A rule's source as the beginning of a sentence: "Engineering wiki and all below". */
export function describeSource(name: string, subpages: 'none' | 'children' | 'all' | null): string {
  return `${name}${SUBPAGES_WORDS[subpages ?? 'none']}`;
}

/** Whether a rule writes direct messages to people instead of posting in a channel. */
export const isToPeople = ({
  destination: { kind },
}: {
  destination: { kind: Destination['kind'] };
}): boolean => kind === 'person' || kind === 'people';

const GIVES_TAGS = ['status', 'select', 'multi_select'];

/** Whether the values of a property can be the tags of a post. */
export const givesTags = ({ type }: { type: string }): boolean => GIVES_TAGS.includes(type);
