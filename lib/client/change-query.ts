/**
 * Changes the query of the current address without a navigation. `change` gets the query of the address as it is now,
 * because what is rendered may be a step behind.
 */
export function changeQuery(change: (query: URLSearchParams) => URLSearchParams): void {
  const { pathname, search } = window.location;
  const query = change(new URLSearchParams(search));
  if (query.toString() === new URLSearchParams(search).toString()) return;
  window.history.replaceState(null, '', query.size > 0 ? `${pathname}?${query}` : pathname);
}
