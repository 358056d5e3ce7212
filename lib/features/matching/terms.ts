import { type RuleTerms, ruleTermsSchema, TERMS_OF_EVENT } from './schema';

/** The names of a rule's terms. */
export const TERMS = ruleTermsSchema.keyof().options;

/** Picks the terms from an object that has other fields too, such as a stored rule. */
export function termsOf(source: Record<keyof RuleTerms, unknown>): RuleTerms {
  // The terms of stored rules are written only by rule commands, from this very type.
  return Object.fromEntries(TERMS.map((term) => [term, source[term]])) as RuleTerms;
}

/** The terms, with defaults for those that do not apply to the rule's event type. */
export function termsInUse(terms: RuleTerms): RuleTerms {
  const inUse: string[] = TERMS_OF_EVENT[terms.eventType];
  const ofSome: string[] = Object.values(TERMS_OF_EVENT).flat();
  const used = Object.entries(terms).filter(([term]) => inUse.includes(term) || !ofSome.includes(term));
  return ruleTermsSchema.parse(Object.fromEntries(used));
}
