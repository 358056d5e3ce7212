import type { ActivityItem, ActivityPage } from '@/lib/features/deliveries/schema';

/** The ids of entries that are being read. */
type Kept = ReadonlySet<string>;

const idsOf = ({ items }: ActivityPage) => new Set(items.map(({ id }) => id));

/** How many of the shown entries the newest page reaches over. */
function reachOf(shown: ActivityPage, newest: ActivityPage): number {
  if (newest.next === null) return shown.items.length;
  const last = newest.items.at(-1)?.id;
  return shown.items.findIndex(({ id }) => id === last) + 1;
}

/**
 * The shown entries as the newest page has them now, each in its place. An entry that this page should have and has not is
 * gone, or no longer passes the filter, and leaves, unless it is being read.
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

/** How many entries of the newest page are not shown, and whether there may be more between it and what is shown. */
export function newsIn(shown: ActivityPage, newest: ActivityPage): { count: number; isMore: boolean } {
  const known = idsOf(shown);
  const count = newest.items.filter(({ id }) => !known.has(id)).length;
  return { count, isMore: count > 0 && newest.next !== null && reachOf(shown, newest) === 0 };
}

/** The newest page, and below it what is shown. When there may be more between the two, only the newest page. */
export function withNews(shown: ActivityPage, newest: ActivityPage): ActivityPage {
  if (newest.next === null || newsIn(shown, newest).isMore) return newest;
  const known = idsOf(newest);
  const below = shown.items.slice(reachOf(shown, newest)).filter(({ id }) => !known.has(id));
  return { items: [...newest.items, ...below], next: shown.next };
}

/** What is shown, and below it the page that follows. */
export function continued(shown: ActivityPage, page: ActivityPage): ActivityPage {
  const known = idsOf(shown);
  return { items: [...shown.items, ...page.items.filter(({ id }) => !known.has(id))], next: page.next };
}

/** The shown entries with one of them as it is now. */
export function withItem(
  shown: ActivityPage,
  changed: Pick<ActivityItem, 'id'> & Partial<ActivityItem>,
): ActivityPage {
  const items = shown.items.map((item) => (item.id === changed.id ? { ...item, ...changed } : item));
  return { ...shown, items };
}
