import { useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent } from 'react';
import { replaceQuery } from '@/lib/client/replace-query';

/** Does what the address asks for with `?name=value`, once the page is ready, and takes it off the address. */
export function useAsked(name: string, isReady: boolean, onAsked: (value: string) => void): void {
  const value = useSearchParams().get(name);
  const answer = useEffectEvent((asked: string) => {
    const query = new URLSearchParams(window.location.search);
    query.delete(name);
    replaceQuery(query);
    onAsked(asked);
  });
  useEffect(() => {
    if (isReady && value !== null) answer(value);
  }, [isReady, value]);
}
