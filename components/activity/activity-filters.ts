import { DELIVERY_STATES } from '@/components/rules/log/delivery-state';
import type { ActivityOutcome } from '@/lib/features/deliveries/schema';

/** The filters of the activity list. An empty value does not filter. */
export interface ActivityFilters {
  text: string;
  rule: string;
  channel: string;
  outcome: ActivityOutcome | '';
}

const { sent, ...others } = DELIVERY_STATES;

/** The word, icon and colour of each outcome. */
export const OUTCOMES = { posted: sent, ...others };

// As the API expects them; it refuses a whole call that has an id of another form.
const RULE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const CHANNEL_ID = /^\d{15,21}$/;

/** Reads the filters from the address. Unknown outcomes and what cannot be an id count as absent. */
export function readFilters(query: Pick<URLSearchParams, 'get'>): ActivityFilters {
  const outcome = query.get('outcome') ?? '';
  const idOf = (name: 'rule' | 'channel', form: RegExp) => form.exec(query.get(name) ?? '')?.[0] ?? '';
  return {
    text: query.get('text') ?? '',
    rule: idOf('rule', RULE_ID),
    channel: idOf('channel', CHANNEL_ID),
    outcome: Object.hasOwn(OUTCOMES, outcome) ? (outcome as ActivityOutcome) : '',
  };
}

/** Writes the filters into the query and keeps its other parameters. */
export function writeFilters(query: URLSearchParams, filters: ActivityFilters): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(filters)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}

/** The API path of the entries that pass the filters. */
export function activityPath(filters: ActivityFilters): string {
  const query = writeFilters(new URLSearchParams(), { ...filters, text: filters.text.trim() });
  return query.size > 0 ? `/api/app/activity?${query}` : '/api/app/activity';
}

/** The time of the last entry looked at, as `activityCursor` encodes it. Importing the schema would load zod. */
export const lookedBackTo = (next: string): Date => new Date(Number(next.split('.')[1]));
