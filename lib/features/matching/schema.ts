import { z } from 'zod';

export const eventTypeSchema = z.enum(['page_created', 'page_updated']);

const ids = () => z.array(z.string().min(1).max(200)).max(100).default([]);

/**
 * The terms of a rule: what it looks for and what its cards show. Each is defined here once, with its limits and its
 * default, and stored in the column of the same name. The API, the form and the line derive theirs from these.
 */
export const ruleTermsSchema = z.object({
  eventType: eventTypeSchema,
  /** Properties whose new values are posted, in the order they were chosen. */
  watchedProperties: ids(),
  /** Options of the status that a page must have one of; empty means any status. */
  statusTo: ids(),
  displayedFields: ids(),
  /** Whether a new page is posted at once and its card completed later, instead of when the page has settled. */
  atOnce: z.boolean().default(false),
});

export type EventType = z.infer<typeof eventTypeSchema>;
export type RuleTerms = z.infer<typeof ruleTermsSchema>;

/** Terms that only rules for one type of event have; other rules keep the default. */
export const TERMS_OF_EVENT = {
  page_created: ['atOnce'],
  page_updated: ['watchedProperties', 'statusTo'],
} as const satisfies Record<EventType, (keyof RuleTerms)[]>;

interface Reference {
  to: 'property' | 'statusOption';
  /** What the rule's owner calls it, and what happens once Notion no longer has it. */
  name: string;
  whenGone: string;
}

/** Terms that list the ids of something in Notion. */
export const REFERENCES = {
  watchedProperties: {
    to: 'property',
    name: 'watched property',
    whenGone: 'nothing is posted for it any more',
  },
  statusTo: { to: 'statusOption', name: 'status', whenGone: 'no page can have it any more' },
  displayedFields: { to: 'property', name: 'displayed field', whenGone: 'cards leave it out' },
} as const satisfies { [Term in keyof RuleTerms]?: Reference };

export type ReferringTerm = keyof typeof REFERENCES;
