import { filteredBy } from '../matching/filters';
import { COMPUTED } from '../matching/unnamed-changes';
import type { TriedRule, View } from './past-views';

/** Why a page could not be read to be judged. */
export type Lost = 'gone' | 'unreadable' | 'unreached';

const GONE = 'The page is in the trash, was moved, or is no longer shared';
const UNREADABLE = 'Pagewire cannot read what Notion returned of the page.';
const UNREACHED = 'Notion did not return the page in time.';
const LOST: Record<Lost, string> = {
  gone: `${GONE}: what it was like is not known.`,
  unreadable: UNREADABLE,
  unreached: UNREACHED,
};
/** Why it is unknown whom an unread page concerns. */
export const WHOM_UNKNOWN: Record<Lost, string> = {
  gone: `${GONE}: whom it concerns is not known.`,
  unreadable: UNREADABLE,
  unreached: UNREACHED,
};
const FOR_WHOM = 'Pagewire made the change; for whom is kept for two days only.';
const OTHERWISE = 'Nobody kept what the page was like then.';

interface Unknown {
  rule: TriedRule;
  view: View;
  lost: Lost | null;
  isOursUnknown: boolean;
}

/** Why it is unknown what a rule would have made of an event, in a sentence. */
export function whyUnknown({ rule, view, lost, isOursUnknown }: Unknown): string {
  if (lost) return LOST[lost];
  if (isOursUnknown) return FOR_WHOM;
  const named = new Set([...view.unsure.map(({ propertyId }) => propertyId), ...filteredBy(rule, view.open)]);
  const properties = rule.database.properties.filter(({ id }) => named.has(id));
  const computed = properties.find(({ type }) => COMPUTED.includes(type));
  if (computed) return `Notion computes ${quoted(computed)}, and nobody kept what it was then.`;
  const without = (side: 'before' | 'after') =>
    properties.find(({ id }) => view.known.get(id)?.[side] === null);
  const after = without('after');
  if (after) return `Nobody kept what ${quoted(after)} was then: it may have changed again since.`;
  const before = without('before');
  if (before) return `Nobody kept what ${quoted(before)} was before.`;
  const maybe = rule.database.properties.find(({ id }) => view.known.get(id)?.change === 'maybe');
  return maybe ? `Nobody kept what ${quoted(maybe)} was before, so it may not have changed.` : OTHERWISE;
}

const quoted = ({ name }: { name: string }) => `“${name}”`;
