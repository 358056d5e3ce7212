import { isolate } from '@/lib/bidi';
import type { Condition, Conditions, EventType, Operator, Value } from '@/lib/features/matching/schema';
import {
  type ConditionNames,
  countsDays,
  describeConditions,
  kindOf,
  MAX_DAYS_FROM_NOW,
  OPERATORS_OF,
  plainValue,
} from '@/lib/features/matching/words';
import type { Property } from '@/lib/features/workspaces/schema';

/** The server's limit. */
export const MAX_CONDITIONS = 10;

/** The operators that fit a property, in a rule for these events. */
export function operatorsFor(property: Property | undefined, eventType: EventType): Operator[] {
  const all = OPERATORS_OF[kindOf(property?.type ?? '')];
  return eventType === 'page_updated' ? all : all.filter((operator) => operator !== 'changed');
}

/** A condition on a property, with the operator but without a value yet. */
export function emptyCondition(propertyId: string, operator: Operator): Condition {
  if (operator === 'changed') return { propertyId, operator, from: [], to: [] };
  if (operator === 'is_empty' || operator === 'is_not_empty') return { propertyId, operator };
  return { propertyId, operator, values: countsDays(operator) ? [7] : [] };
}

/** The same condition with another operator; values that still fit are kept. */
export function withOperator(condition: Condition, operator: Operator): Condition {
  const next = emptyCondition(condition.propertyId, operator);
  const isSameKind = GROUPS.some((group) => group.includes(condition.operator) && group.includes(operator));
  return isSameKind && 'values' in condition && 'values' in next
    ? { ...next, values: condition.values }
    : next;
}

const GROUPS: Operator[][] = [
  ['is', 'is_not', 'contains', 'does_not_contain'],
  ['greater', 'less'],
  ['before', 'after'],
  ['within_next_days', 'within_past_days'],
];

/** What a condition still needs, in words; null for nothing. */
export function findNeed(condition: Condition): string | null {
  if (!('values' in condition)) return null;
  const { operator, values } = condition;
  if (!countsDays(operator)) return values.length === 0 ? 'a value' : null;
  const fits = values.length > 0 && values.every(isDays);
  return fits ? null : `a number of days from 0 to ${MAX_DAYS_FROM_NOW}`;
}

const isDays = (value: Value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_DAYS_FROM_NOW;

/** The index of the first condition that still needs something; -1 for none. */
export const findIncomplete = ({ items }: Conditions): number =>
  items.findIndex((item) => findNeed(item) !== null);

/** The conditions that are valid in a rule for these events, without incomplete ones. */
export function sentConditions({ match, items }: Conditions, eventType: EventType): Conditions {
  const fitting = items.filter(
    (item) => !(item.operator === 'changed' && eventType !== 'page_updated') && findNeed(item) === null,
  );
  return { match, items: fitting };
}

/** The conditions without those parts that refer to a property or an option that Notion no longer has. */
export function withoutGone({ match, items }: Conditions, gone: string): Conditions {
  const without = (values: Value[]) => values.filter((value) => value !== gone);
  const kept = items.flatMap((item): Condition[] => {
    if (item.propertyId === gone) return [];
    if ('from' in item) return [{ ...item, from: without(item.from), to: without(item.to) }];
    return 'values' in item ? [{ ...item, values: without(item.values) }] : [item];
  });
  return { match, items: kept };
}

/** A summary of the conditions in one sentence. */
export function summarise(
  conditions: Conditions,
  properties: Property[],
  people: { value: string; label: string }[],
) {
  const count = conditions.items.length;
  if (count === 0) return 'Any page will do.';
  const names = namesFor(properties, people);
  return `${count === 1 ? '1 condition' : `${count} conditions`}: ${describeConditions(conditions, names)}.`;
}

function namesFor(properties: Property[], people: { value: string; label: string }[]): ConditionNames {
  const find = (id: string) => properties.find((property) => property.id === id);
  return {
    property: (id) => isolate(find(id)?.name ?? 'a property'),
    value: (propertyId, value) => {
      const kind = kindOf(find(propertyId)?.type ?? '');
      if (kind === 'option' || kind === 'options') return isolate(String(value));
      if (kind === 'people')
        return isolate(people.find((person) => person.value === value)?.label ?? 'somebody who left');
      return kind === 'pages' ? 'a chosen page' : isolate(plainValue(value));
    },
  };
}
