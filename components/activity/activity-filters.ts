import { DELIVERY_STATES } from '@/components/rules/log/delivery-state';
import type { ActivityOutcome } from '@/lib/features/deliveries/schema';

/** What the list of activity is narrowed to. An empty value narrows nothing. */
export interface ActivityFilters {
  text: string;
  rule: string;
  channel: string;
  outcome: ActivityOutcome | '';
}

const { sent, ...others } = DELIVERY_STATES;

/** How each outcome is drawn. */
export const OUTCOMES = { posted: sent, ...others };

/** As the address has them. What it does not know counts as absent. */
export function readFilters(query: Pick<URLSearchParams, 'get'>): ActivityFilters {
  const outcome = query.get('outcome') ?? '';
  return {
    text: query.get('text') ?? '',
    rule: query.get('rule') ?? '',
    channel: query.get('channel') ?? '',
    outcome: Object.hasOwn(OUTCOMES, outcome) ? (outcome as ActivityOutcome) : '',
  };
}

/** The query with the filters in it; what else it holds stays. */
export function writeFilters(query: URLSearchParams, filters: ActivityFilters): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(filters)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}

/** Where the entries that pass the filters are read. */
export function activityPath(filters: ActivityFilters): string {
  const query = writeFilters(new URLSearchParams(), { ...filters, text: filters.text.trim() });
  return query.size > 0 ? `/api/app/activity?${query}` : '/api/app/activity';
}

/** When the last entry happened that was looked at, as `activityCursor` writes it. The schema itself would bring zod along. */
export const lookedBackTo = (next: string): Date => new Date(Number(next.split('.')[1]));
