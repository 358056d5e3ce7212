import type { RuleTerms } from './schema';
import { isToPeople } from './words';

/** The terms that decide whether the card of a page is kept up to date. */
export type KeepingRule = Pick<RuleTerms, 'card' | 'destination'>;

/** Whether a rule posts in a forum or a media channel. */
export const postsInForum = ({ destination }: Pick<RuleTerms, 'destination'>): boolean =>
  destination.kind === 'forum';

/**
 * Whether a rule keeps one card for each page in a channel, up to date with the page. Always in a forum, where a page
 * has one post. Never for people: their letters are kept up to date when they are sent.
 */
export const keepsCards = (rule: KeepingRule): boolean =>
  postsInForum(rule) || (rule.card !== 'each' && !isToPeople(rule));
