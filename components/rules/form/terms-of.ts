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
