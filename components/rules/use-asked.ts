import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent } from 'react';

/** Does what the address asks for with `?name=value`, once the page is ready, and takes it off the address. */
export function useAsked(name: string, isReady: boolean, onAsked: (value: string) => void): void {
  const pathname = usePathname();
  const value = useSearchParams().get(name);
  const answer = useEffectEvent((asked: string) => {
    const query = new URLSearchParams(window.location.search);
    query.delete(name);
    window.history.replaceState(null, '', query.size > 0 ? `${pathname}?${query}` : pathname);
    onAsked(asked);
  });
  useEffect(() => {
    if (isReady && value !== null) answer(value);
  }, [isReady, value]);
}
