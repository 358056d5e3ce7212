import { wordsForPlace } from '@/lib/integrations/notion/place-words';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';

interface Change {
  before: PropertyValue | null;
  after: PropertyValue;
}

const PRECISE = ['withAddress', 'withCoordinates'] as const;

/**
 * A change as it is shown. Of a place that keeps its name, both values say where they are; if that is not known, the old
 * one is left out.
 */
export function shownChange<Shown extends Change>(change: Shown): Shown {
  const { before, after } = change;
  if (before?.text !== after.text || after.type !== 'place' || after.key === '') return change;
  const [old, now] = [wordsForPlace(before), wordsForPlace(after)];
  const precise = PRECISE.find((words) => old && now && old[words] !== now[words]);
  if (!old || !now || !precise) return { ...change, before: null };
  return {
    ...change,
    before: { ...before, text: old[precise] },
    after: { ...after, text: now[precise] },
  };
}

/** The texts by which such a change shows a place, which say more than its name; none for any other value. */
export function preciseTexts(value: PropertyValue): string[] {
  const words = wordsForPlace(value);
  return words ? PRECISE.map((precise) => words[precise]) : [];
}
