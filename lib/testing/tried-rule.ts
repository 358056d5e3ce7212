/** A database, values of its pages and a rule, for tests that try rules on the past. */
import type { TriedRule } from '@/lib/features/hindsight/past-views';
import { ruleTermsSchema } from '@/lib/features/matching/schema';
import { type PropertyValue, toPropertyValue } from '@/lib/integrations/notion/property-value';

export const STATUSES = ['open', 'doing', 'done'];
export const TAGS = ['red', 'blue'];

const option = (id: string) => ({ id, name: `Name of ${id}`, color: 'gray' });
const property = (id: string, type: string, options: string[] = []) => ({
  id,
  name: `The ${id}`,
  type,
  options: options.map(option),
  groups: [],
});
export const PROPERTIES = [
  property('status', 'status', STATUSES),
  property('priority', 'select', STATUSES),
  property('tags', 'multi_select', TAGS),
  property('sum', 'rollup'),
];

const named = (id: string, value: PropertyValue) => ({ ...value, name: `The ${id}` });
export const status = (id: string) =>
  named('status', toPropertyValue({ type: 'status', status: option(id) }));
export const priority = (id: string) =>
  named('priority', toPropertyValue({ type: 'select', select: option(id) }));
export const tags = (...ids: string[]) =>
  named('tags', toPropertyValue({ type: 'multi_select', multi_select: ids.map(option) }));
export const sum = named('sum', toPropertyValue({ type: 'rollup', rollup: { type: 'number', number: 3 } }));

export const ruleOf = (terms: Record<string, unknown>): TriedRule => ({
  ...ruleTermsSchema.parse({ eventType: 'page_updated', watchedProperties: ['status'], ...terms }),
  enabled: true,
  channelId: 'channel',
  database: { statusPropertyId: 'status', properties: PROPERTIES },
});

export type Values = Map<string, PropertyValue & { name: string }>;
export const values = (...all: (PropertyValue & { name: string })[]): Values =>
  new Map(all.map((value) => [value.name.slice('The '.length), value]));
