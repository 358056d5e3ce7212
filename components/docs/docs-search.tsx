'use client';

import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Input } from '@/components/ui/input';
import { Link } from '@/components/ui/link';
import { count } from '@/lib/client/format';
import { PALETTE_KEY, useKeys } from '@/lib/client/use-keys';
import { searchDocs } from './search-docs';
import { useDocPages } from './use-doc-pages';

/** Searches the documentation in the browser; the texts are loaded when the field is first used. */
export function DocsSearch() {
  const [pages, load, isMissing] = useDocPages();
  const [query, setQuery] = useState('');
  // The list covers a part of the page, so it shows only while somebody searches.
  const [isUsed, setIsUsed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const hits = searchDocs(pages, query);
  const isSearched = query.trim() !== '' && (pages.length > 0 || isMissing);
  const nothing = isMissing ? 'The search did not arrive. Reload the page to get it.' : 'Nothing found';

  // On a slow connection somebody uses the field before this script has loaded.
  useEffect(() => {
    const typed = field.current?.value ?? '';
    if (typed) setQuery(typed);
    if (typed || document.activeElement === field.current) {
      setIsUsed(true);
      load();
    }
  }, [load]);

  const focus = () => field.current?.focus();
  useKeys({ '/': focus, [PALETTE_KEY]: focus });

  return (
    <search
      className="block max-w-72 flex-1 basis-20 sm:relative"
      onFocus={() => setIsUsed(true)}
      onBlur={({ currentTarget, relatedTarget }) => setIsUsed(currentTarget.contains(relatedTarget))}
      onKeyDown={({ key }) => {
        if (key !== 'Escape') return;
        setQuery('');
        focus();
      }}
    >
      <span className="relative block">
        <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-muted" aria-hidden />
        <Input
          ref={field}
          type="search"
          aria-label="Search the documentation"
          placeholder="Search"
          className="pl-9"
          value={query}
          onFocus={load}
          onChange={(event) => setQuery(event.target.value)}
        />
      </span>
      <p role="status" className="sr-only">
        {isSearched ? (hits.length > 0 ? count(hits.length, 'result') : nothing) : null}
      </p>
      {isSearched && isUsed ? (
        // As wide as the page on a phone, where the field has not enough room beside it. It can have the focus, because a
        // press on a link gives it none in Safari.
        <div
          tabIndex={-1}
          className="absolute inset-x-4 top-full z-40 max-h-[calc(100dvh-6rem)] overflow-y-auto rounded-lg border bg-surface p-1 shadow-float sm:top-11 sm:right-0 sm:left-auto sm:w-80"
        >
          {hits.length > 0 ? null : (
            <p aria-hidden className="px-3 py-2 text-muted">
              {nothing}
            </p>
          )}
          <ul>
            {hits.map((hit) => (
              <li key={hit.href}>
                <Link
                  href={hit.href}
                  onClick={() => setQuery('')}
                  className="block rounded-md px-3 py-2 hover:bg-hover focus-visible:bg-hover"
                >
                  <span className="block font-medium">{hit.heading}</span>
                  <span className="block text-muted text-xs">{hit.page}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </search>
  );
}
