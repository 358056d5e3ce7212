import { useCallback, useEffect, useRef, useState } from 'react';
import useSWR from 'swr';
import { api } from '@/lib/client/api';
import { RETRIES } from '@/lib/client/resources';
import type { ActivityItem, ActivityPage } from '@/lib/features/deliveries/schema';
import { continued, newsIn, refreshed, withItem, withNews } from './activity-stream';

const REFRESH_MS = 4000;

// A search opens sealed titles, so it is repeated less often.
const SEARCH_REFRESH_MS = 20_000;

// Looking further stops after this many entries or calls.
const ENOUGH = 20;
const MAX_CALLS = 10;

const read = (path: string) => api<ActivityPage>(path);

/**
 * The entries of a path, newest first. New ones wait in `news` until they are asked for, so that nothing moves while
 * somebody reads. Shown entries are updated in place; those that no longer belong to the list are removed, unless their
 * id is in `open`.
 */
export function useActivity(path: string, open: ReadonlySet<string>) {
  const isSearch = path.includes('text=');
  const { data, error, isValidating, mutate } = useSWR<ActivityPage, Error>(path, read, {
    ...RETRIES,
    refreshInterval: isSearch ? SEARCH_REFRESH_MS : REFRESH_MS,
  });
  const [shown, setShown] = useState<ActivityPage | null>(null);
  const [further, setFurther] = useState({ busy: false, failed: false });
  const kept = useRef(open);
  kept.current = open;
  const isFresh = useRef(false);

  useEffect(() => {
    if (!data) return;
    // The first answer replaces a list remembered from an earlier visit, and an empty one.
    if (isFresh.current) {
      setShown((now) => (now?.items.length ? refreshed(now, data, kept.current) : data));
    } else setShown(data);
    isFresh.current ||= !isValidating;
  }, [data, isValidating]);

  async function lookFurther() {
    let page = shown;
    if (!page) return;
    setFurther({ busy: true, failed: false });
    try {
      const joint = path.includes('?') ? '&' : '?';
      let found = 0;
      for (let call = 0; page.next !== null && found < ENOUGH && call < MAX_CALLS; call += 1) {
        const before = page.next;
        const next = await read(`${path}${joint}before=${before}`);
        found += next.items.length;
        page = next;
        setShown((now) => now && continued(now, next, before));
      }
      setFurther({ busy: false, failed: false });
    } catch {
      setFurther({ busy: false, failed: true });
    }
  }

  const change = useCallback(
    (item: Pick<ActivityItem, 'id'> & Partial<ActivityItem>) => setShown((now) => now && withItem(now, item)),
    [],
  );

  return {
    shown,
    /** The reason why the newest entries could not be read. */
    error,
    news: shown && data ? newsIn(shown, data) : { count: 0, isMore: false },
    showNews: () => setShown((now) => (now && data ? withNews(now, data) : now)),
    further,
    lookFurther,
    change,
    retry: () => mutate(),
  };
}
