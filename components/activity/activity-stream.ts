import type { ActivityItem, ActivityPage } from '@/lib/features/deliveries/schema';

/** The ids of entries that somebody is reading. */
type Kept = ReadonlySet<string>;

const idsOf = ({ items }: ActivityPage) => new Set(items.map(({ id }) => id));

/** How many of the shown entries lie within the range of the newest page. */
function reachOf(shown: ActivityPage, newest: ActivityPage): number {
  if (newest.next === null) return shown.items.length;
  const last = newest.items.at(-1)?.id;
  return shown.items.findIndex(({ id }) => id === last) + 1;
}

/**
 * Updates the shown entries from the newest page, each in its place. An entry within that page's range that is missing
 * from it is gone or no longer passes the filter; it is removed, unless somebody is reading it.
 */
export function refreshed(shown: ActivityPage, newest: ActivityPage, kept: Kept): ActivityPage {
  const now = new Map(newest.items.map((item) => [item.id, item]));
  const reach = reachOf(shown, newest);
  const items = shown.items.flatMap((item, index) => {
    const found = now.get(item.id);
    if (found) return found;
    return index < reach && !kept.has(item.id) ? [] : item;
  });
  return { items, next: newest.next === null ? null : shown.next };
}

/** How many entries of the newest page are not shown, and whether there may be more below that page. */
export function newsIn(shown: ActivityPage, newest: ActivityPage): { count: number; isMore: boolean } {
  const known = idsOf(shown);
  const count = newest.items.filter(({ id }) => !known.has(id)).length;
  return { count, isMore: count > 0 && newest.next !== null && reachOf(shown, newest) === 0 };
}

/** The newest page, then the shown entries. If there may be more between the two, only the newest page. */
export function withNews(shown: ActivityPage, newest: ActivityPage): ActivityPage {
  if (newest.next === null || newsIn(shown, newest).isMore) return newest;
  const known = idsOf(newest);
  const below = shown.items.slice(reachOf(shown, newest)).filter(({ id }) => !known.has(id));
  return { items: [...newest.items, ...below], next: shown.next };
}

/** The shown entries, with the page below them that was asked for with `before`, if it still follows them. */
export function continued(
  shown: ActivityPage,
  page: ActivityPage,
  before: ActivityPage['next'],
): ActivityPage {
  if (shown.next !== before) return shown;
  const known = idsOf(shown);
  return { items: [...shown.items, ...page.items.filter(({ id }) => !known.has(id))], next: page.next };
}

/** The shown entries with the changes to one of them. */
export function withItem(
  shown: ActivityPage,
  changed: Pick<ActivityItem, 'id'> & Partial<ActivityItem>,
): ActivityPage {
  const items = shown.items.map((item) => (item.id === changed.id ? { ...item, ...changed } : item));
  return { ...shown, items };
}
