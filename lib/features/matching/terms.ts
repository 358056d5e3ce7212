import { type RuleTerms, ruleTermsSchema, TERMS_OF_EVENT } from './schema';

/** The names of a rule's terms. */
export const TERMS = ruleTermsSchema.keyof().options;

/** Picks the terms from an object that has other fields too, such as a stored rule. */
export function termsOf(source: Record<keyof RuleTerms, unknown>): RuleTerms {
  return Object.fromEntries(TERMS.map((term) => [term, source[term]])) as RuleTerms;
}

/** The same terms, with the defaults of those that do not apply to the type of event. */
export function termsInUse(terms: RuleTerms): RuleTerms {
  const unused: string[] = Object.entries(TERMS_OF_EVENT).flatMap(([event, names]) =>
    event === terms.eventType ? [] : names,
  );
  const used = Object.entries(terms).filter(([term]) => !unused.includes(term));
  return ruleTermsSchema.parse(Object.fromEntries(used));
}
