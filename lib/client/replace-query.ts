/** Changes the query of the address where it is, without a navigation. */
export function replaceQuery(query: URLSearchParams): void {
  const { pathname } = window.location;
  window.history.replaceState(null, '', query.size > 0 ? `${pathname}?${query}` : pathname);
}
