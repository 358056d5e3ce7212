import type { Condition } from '@/lib/features/matching/schema';

const keys = new WeakMap<Condition, number>();
let last = 0;

/** The key of a condition in a list. Conditions have no ids, and their places change. */
export function keyOf(condition: Condition): number {
  const key = keys.get(condition) ?? ++last;
  keys.set(condition, key);
  return key;
}

/** The changed condition, with the key of the one that it replaces. */
export function replacing(former: Condition, changed: Condition): Condition {
  keys.set(changed, keyOf(former));
  return changed;
}
