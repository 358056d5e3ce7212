import type { RuleTerms } from '@/lib/features/matching/schema';
import type { Rule } from '@/lib/features/rules/schema';
import type { RuleDraft } from './rule-terms';
import { termsOf } from './terms-of';

/**
 * Terms about the look, pings and timing of cards: rules that differ only in these still post the same events twice.
 */
const PRESENTATION: string[] = [
  'name',
  'displayedFields',
  'mentions',
  'atOnce',
  'card',
  'size',
  'rollUp',
  'timing',
  'urgent',
  'actions',
] satisfies (keyof RuleTerms)[];

/** Another rule that posts the same events to the same channel, even with other fields; null when there is none. */
export function findDuplicate(draft: RuleDraft, others: Rule[]): Rule | null {
  const isTwin = (rule: Rule) =>
    isSameSource(rule, draft) &&
    rule.channelId === draft.channelId &&
    Object.entries(termsOf(rule))
      .filter(([term]) => !PRESENTATION.includes(term))
      .every(([term, value]) => isSameTerm(value, draft[term as keyof RuleTerms]));
  return others.find(isTwin) ?? null;
}

const isSameSource = (rule: Rule, { databaseId, source }: RuleDraft) =>
  source ? JSON.stringify(rule.source) === JSON.stringify(source) : rule.databaseId === databaseId;

/** Whether two values of a term say the same. A term that the form has left out has no value yet, as in most rules. */
const isSameTerm = (stored: unknown, drafted: unknown) =>
  drafted === undefined ? isUnset(stored) : inOneForm(stored) === inOneForm(drafted);

const isUnset = (value: unknown) =>
  value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0);

/** A term as a text that is the same whatever the order of its keys and of what it lists. */
function inOneForm(term: unknown): string {
  return JSON.stringify(term, (_, part) => {
    if (Array.isArray(part)) return part.every((each) => typeof each === 'string') ? part.toSorted() : part;
    if (typeof part !== 'object' || part === null) return part;
    // The form keeps the names in that case.
    const said = part.mode === 'anyone' ? { ...part, people: [] } : part;
    return Object.fromEntries(Object.entries(said).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
