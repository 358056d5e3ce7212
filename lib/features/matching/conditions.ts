import { hash } from '@/lib/crypto';
import { foldText } from '@/lib/fold-text';
import { isSameValue, MAX_LISTED } from '@/lib/integrations/notion/bounded-value';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { isUncomputed, type PropertyValue } from '@/lib/integrations/notion/property-value';
import { compareDates, isWithin } from './dates';
import { oldValue } from './old-value';
import type { Condition, Conditions, Value } from './schema';
import { type Kind, kindOf } from './words';

/** What is needed to judge conditions. */
export interface Seen {
  page: Page;
  /** The page's values before, by property id; null for a page that was never seen. */
  before: Record<string, PropertyValue> | null;
  /** The properties that Notion says have changed. */
  announced: string[];
  /** When it happened. */
  at: Date;
}

/** A page of which only the current state is known. */
export const asItIs = (page: Page, at: Date): Seen => ({ page, before: null, announced: [], at });

/** Null means unknown: Notion could not compute the value, returned only a part of it, or it was not kept. */
export type Truth = boolean | null;

/** The `result` of a value that is not known well enough for a condition to accept or refuse it. */
export const UNSURE = 'unsure';

/** Whether a page meets the conditions of a rule. */
export function meets({ match, items }: Conditions, seen: Seen): Truth {
  if (items.length === 0) return true;
  const truths = items.map((item) => judge(item, seen));
  return match === 'all' ? not(anyOf(truths.map(not))) : anyOf(truths);
}

/** The conditions that can be judged without knowing the page's earlier values. */
export function withoutChanges({ match, items }: Conditions): Conditions {
  return { match, items: items.filter(({ operator }) => operator !== 'changed') };
}

function judge(condition: Condition, seen: Seen): Truth {
  const value = seen.page.values.get(condition.propertyId);
  if (!value || isUncomputed(value) || value.result === UNSURE) return null;
  if ('from' in condition) return hasChanged(condition, value, seen);
  if (!('values' in condition)) return isEmpty(value) === (condition.operator === 'is_empty');
  const { operator, values } = condition;
  const isNegative = operator === 'is_not' || operator === 'does_not_contain';
  if (isEmpty(value)) return isNegative;
  const holds =
    operator === 'contains' || operator === 'does_not_contain'
      ? hasAny(value, values)
      : anyOf(values.map((each) => COMPARE[operator](value, each, seen.at)));
  return isNegative ? not(holds) : holds;
}

type Changed = Extract<Condition, { operator: 'changed' }>;
type Compared = Extract<Condition, { values: Value[] }>;

function hasChanged({ propertyId, from, to }: Changed, after: PropertyValue, seen: Seen): Truth {
  const before = oldValue(seen.before, propertyId, after);
  const isChanged = before ? !isSameValue(before, after) : seen.announced.includes(propertyId);
  if (!isChanged) return false;
  const left = from.map((each) => and(before && isOne(before, each), not(isOne(after, each))));
  const come = to.map((each) => and(isOne(after, each), before ? not(isOne(before, each)) : true));
  return and(from.length === 0 || anyOf(left), to.length === 0 || anyOf(come));
}

const isEmpty = ({ key, isCut = false }: PropertyValue) => key === '' && !isCut;

type Compare = (value: PropertyValue, wanted: Value, at: Date) => Truth;

const COMPARE: Record<Exclude<Compared['operator'], 'contains' | 'does_not_contain'>, Compare> = {
  is: isOne,
  is_not: isOne,
  greater: (value, wanted) => compareNumbers(value, wanted, (one, other) => one > other),
  less: (value, wanted) => compareNumbers(value, wanted, (one, other) => one < other),
  before: (value, wanted) => withDate(value, (date) => compareDates(date, String(wanted)) < 0),
  after: (value, wanted) => withDate(value, (date) => compareDates(date, String(wanted)) > 0),
  within_next_days: (value, days, at) => withDate(value, (date) => isWithin(date, at, [0, Number(days)])),
  within_past_days: (value, days, at) => withDate(value, (date) => isWithin(date, at, [-Number(days), 0])),
};

/** Whether a value equals the wanted one; for a list, whether it has it. */
function isOne(value: PropertyValue, wanted: Value): Truth {
  switch (resultKind(value)) {
    case 'options':
    case 'pages':
    case 'people':
      return hasAny(value, [wanted]);
    case 'option':
      return value.optionId === wanted;
    case 'checkbox':
      return typeof wanted === 'boolean' ? (value.key === 'Yes') === wanted : null;
    case 'number':
      return isNumber(wanted) ? Number(value.key) === Number(wanted) : null;
    case 'uniqueId':
      return [value.key, value.key.slice(value.key.lastIndexOf('-') + 1)].includes(String(wanted));
    case 'date':
      return withDate(value, (date) => compareDates(date, String(wanted)) === 0);
    default:
      return typeof wanted === 'boolean' ? null : isSameText(value, String(wanted));
  }
}

// Accented letters are stored in one of two ways, which people cannot tell apart. Of a long text only the hash is known, so
// the wanted one is written in both.
const isSameText = (value: PropertyValue, wanted: string): boolean =>
  [wanted, wanted.normalize('NFC'), wanted.normalize('NFD')].some((key) => isSameValue(value, { key }));

// JavaScript takes true for 1, and a text of spaces for 0.
const isNumber = (wanted: Value) =>
  typeof wanted !== 'boolean' && String(wanted).trim() !== '' && !Number.isNaN(Number(wanted));

/** Whether a list or a text has any of these parts. */
function hasAny(value: PropertyValue, wanted: Value[]): Truth {
  const parts = partsOf(value);
  if (parts) return wanted.some((each) => parts.all.includes(String(each))) || (parts.isWhole ? false : null);
  if (resultKind(value) !== 'text') return null;
  const text = foldText(textOf(value));
  const isFound = wanted.some((each) => text.includes(foldText(String(each))));
  return isFound || (isWholeText(value) ? false : null);
}

/** The ids in a list, and whether they are complete; null for a value that is not a list. */
function partsOf(value: PropertyValue): { all: string[]; isWhole: boolean } | null {
  const { type, key, ids, userIds = [], userCount, isCut = false } = value;
  const kind = kindOf(type);
  if (kind === 'people') return { all: userIds, isWhole: !isCut && userCount === undefined };
  if (kind !== 'options' && kind !== 'pages') return null;
  if (ids) return { all: ids, isWhole: !isCut && ids.length < MAX_LISTED };
  return isDigest(key) ? { all: [], isWhole: false } : { all: key.split(','), isWhole: true };
}

const textOf = ({ text, longText = text }: PropertyValue) => longText;

function isWholeText(value: PropertyValue): boolean {
  const { key, textKey = key, isCut = false } = value;
  return !isCut && (textKey === textOf(value) || !isDigest(textKey) || textKey === hash(textOf(value)));
}

const isDigest = (key: string) => /^[0-9a-f]{64}$/.test(key);

const RESULT_KINDS: Record<string, Kind> = { number: 'number', date: 'date', boolean: 'checkbox' };

function resultKind({ type, result = '' }: PropertyValue): Kind {
  const kind = kindOf(type);
  return kind === 'result' ? (RESULT_KINDS[result] ?? 'text') : kind;
}

function compareNumbers(
  value: PropertyValue,
  wanted: Value,
  holds: (one: number, other: number) => boolean,
): Truth {
  if (resultKind(value) !== 'number' || typeof wanted !== 'number') return null;
  return holds(Number(value.key), wanted);
}

/** Whether the date with which a value begins satisfies `holds`; null for a value that is not a date. */
function withDate(value: PropertyValue, holds: (date: string) => boolean): Truth {
  return resultKind(value) === 'date' ? holds(value.key.split('/')[0] ?? '') : null;
}

const not = (truth: Truth): Truth => (truth === null ? null : !truth);

function anyOf(truths: Truth[]): Truth {
  if (truths.includes(true)) return true;
  return truths.includes(null) ? null : false;
}

const and = (one: Truth, other: Truth): Truth => not(anyOf([not(one), not(other)]));
