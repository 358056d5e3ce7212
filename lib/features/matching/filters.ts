import type { Page } from '@/lib/integrations/notion/notion-page';
import type { RuleTerms } from './schema';

export interface FilteringRule extends RuleTerms {
  /** `statusPropertyId` is null when the database has no status property. */
  database: { statusPropertyId: string | null };
}

interface Filter {
  /** What the log says of a page that does not pass. */
  sentence: string;
  passes: (rule: FilteringRule, page: Page) => boolean;
}

/** The filters of a rule, by the reason recorded for a page that does not pass. */
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

/** The reason recorded for a page that does not pass every filter of a rule; null when it does. */
export function findRefusal(rule: FilteringRule, page: Page): FilterReason | null {
  const reasons = Object.keys(FILTERS) as FilterReason[];
  return reasons.find((reason) => !FILTERS[reason].passes(rule, page)) ?? null;
}
