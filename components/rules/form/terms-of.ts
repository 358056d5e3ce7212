import type { RuleTerms } from '@/lib/features/matching/schema';
import type { Rule } from '@/lib/features/rules/schema';

/** What a rule has besides its terms. */
const BESIDES: Record<Exclude<keyof Rule, keyof RuleTerms>, true> = {
  id: true,
  source: true,
  sourceName: true,
  pageTitle: true,
  sourceIcon: true,
  sourceUrl: true,
  databaseId: true,
  databaseName: true,
  databaseType: true,
  dbType: true,
  channelId: true,
  channelName: true,
  place: true,
  enabled: true,
  watching: true,
  lastDelivery: true,
  health: true,
  problems: true,
};

/** The terms of a rule. */
export const termsOf = (rule: Rule): RuleTerms =>
  Object.fromEntries(Object.entries(rule).filter(([field]) => !(field in BESIDES))) as unknown as RuleTerms;

/** Whether two readings of a rule say the same about what it does, whatever its state. */
export const doTheSame = (one: Rule, other: Rule): boolean => doingOf(one) === doingOf(other);

const doingOf = (rule: Rule) => JSON.stringify([termsOf(rule), rule.source, rule.channelId]);
