import { isSameValue } from '@/lib/integrations/notion/bounded-value';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { filtersAuthors } from './authors';
import { CREATED, mayTouch, type PageEvent } from './match';
import { oldValue } from './old-value';
import type { RuleTerms } from './schema';
import type { Snapshot } from './snapshot';

/** Types of properties whose values change without an event that names them. */
export const COMPUTED = ['formula', 'rollup', 'last_edited_time', 'last_edited_by'];

/** The types of properties whose values people set: Notion's events name each of these that has changed. */
const NAMED = new Set([
  'title',
  'rich_text',
  'number',
  'select',
  'multi_select',
  'status',
  'date',
  'people',
  'checkbox',
  'url',
  'email',
  'phone_number',
]);

/**
 * The changed properties that none of the events names, if a rule filters by author. A page shows a change before its
 * event arrives. Such a change waits for its own event, because with these events it would count as their authors'
 * work.
 */
export function unnamedChanges(
  rules: (RuleTerms & { enabled: boolean })[],
  page: Page,
  events: PageEvent[],
  snapshot: Snapshot | null,
): string[] {
  if (!snapshot || events.length === 0 || events.some(({ type }) => type === CREATED)) return [];
  const asking = rules.filter(
    (rule) => rule.enabled && rule.eventType === 'page_updated' && filtersAuthors(rule),
  );
  const watched = new Set(asking.flatMap(({ watchedProperties }) => watchedProperties));
  return [...watched].filter((id) => {
    const after = page.values.get(id);
    const before = after && oldValue(snapshot, id, after);
    if (!before || !NAMED.has(after.type) || isSameValue(before, after)) return false;
    return !events.some((event) => mayTouch(event, [id]));
  });
}

/** A snapshot with the page's current values of these properties, so that no rule finds them changed. */
export function asUnchanged(snapshot: Snapshot | null, page: Page, propertyIds: string[]): Snapshot | null {
  if (!snapshot || propertyIds.length === 0) return snapshot;
  return {
    ...snapshot,
    ...Object.fromEntries(
      propertyIds.flatMap((id) => {
        const value = page.values.get(id);
        return value ? [[id, value]] : [];
      }),
    ),
  };
}
