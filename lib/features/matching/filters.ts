import type { Page } from '@/lib/integrations/notion/notion-page';
import type { RuleTerms } from './schema';

export interface FilteringRule extends RuleTerms {
  /** `statusPropertyId` is null for a database without a status. */
  database: { statusPropertyId: string | null };
}

interface Filter {
  /** Why a page that does not pass was not posted. */
  sentence: string;
  passes: (rule: FilteringRule, page: Page) => boolean;
}

/** The filters of rules, by the reason that is recorded for a page that does not pass. */
export const FILTERS = {
  filtered_by_status: {
    sentence: 'The status of the page is not one that the rule posts.',
    passes: ({ statusTo, database: { statusPropertyId } }, page) => {
      if (statusTo.length === 0) return true;
      const optionId = statusPropertyId === null ? undefined : page.values.get(statusPropertyId)?.optionId;
      return optionId !== undefined && statusTo.includes(optionId);
    },
  },
} as const satisfies Record<string, Filter>;

export type FilterReason = keyof typeof FILTERS;

/** The first filter that a page does not pass, as the reason to record; null when it passes them all. */
export function findRefusal(rule: FilteringRule, page: Page): FilterReason | null {
  const reasons = Object.keys(FILTERS) as FilterReason[];
  return reasons.find((reason) => !FILTERS[reason].passes(rule, page)) ?? null;
}
