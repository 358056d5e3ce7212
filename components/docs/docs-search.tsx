'use client';

import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Input } from '@/components/ui/input';
import { Link } from '@/components/ui/link';
import { PALETTE_KEY, useKeys } from '@/lib/client/use-keys';
import { searchDocs } from './search-docs';
import { useDocPages } from './use-doc-pages';

/** Searches the documentation in the browser; the texts are loaded when the field is first used. */
export function DocsSearch() {
  const [pages, load] = useDocPages();
  const [query, setQuery] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const hits = searchDocs(pages, query);

  // On a slow connection somebody uses the field before this script has loaded.
  useEffect(() => {
    const typed = field.current?.value ?? '';
    if (typed) setQuery(typed);
    if (typed || document.activeElement === field.current) load();
  }, [load]);

  const focus = () => field.current?.focus();
  useKeys({ '/': focus, [PALETTE_KEY]: focus });

  return (
    <search className="relative block max-w-72 flex-1 basis-20">
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
        onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
      />
      {query.trim() && pages.length > 0 ? (
        <div className="absolute top-11 right-0 z-40 w-80 max-w-[calc(100vw-2rem)] rounded-lg border bg-surface p-1 shadow-float">
          <p role="status" className={hits.length > 0 ? 'sr-only' : 'px-3 py-2 text-muted'}>
            {hits.length > 0 ? `${hits.length} results` : 'Nothing found'}
          </p>
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
