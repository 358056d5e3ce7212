import type { RuleTerms } from './schema';
import { isToPeople } from './words';

/** What decides whether the card of a page is kept up to date. */
export type KeepingRule = Pick<RuleTerms, 'card' | 'destination'>;

/** Whether a rule posts in a forum or a media channel. */
export const postsInForum = ({ destination }: Pick<RuleTerms, 'destination'>): boolean =>
  destination.kind === 'forum';

/**
 * Whether a page has one card in a channel under a rule, which is kept as the page is: always in a forum, where it has one
 * post. What people are told is followed where it is sent.
 */
export const keepsCards = (rule: KeepingRule): boolean =>
  postsInForum(rule) || (rule.card !== 'each' && !isToPeople(rule));
