/**
 * Changes the query of the address where it is, without a navigation. The change is given the address as it is now: what
 * is rendered may be a step behind it.
 */
export function changeQuery(change: (query: URLSearchParams) => URLSearchParams): void {
  const { pathname, search } = window.location;
  const query = change(new URLSearchParams(search));
  if (query.toString() === new URLSearchParams(search).toString()) return;
  window.history.replaceState(null, '', query.size > 0 ? `${pathname}?${query}` : pathname);
}
