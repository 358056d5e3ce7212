import { useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent } from 'react';
import { changeQuery } from '@/lib/client/change-query';

const AGAIN_MS = 500;

/** Calls `onAsked` with the query parameter `name` once the page is ready, then removes the parameter. */
export function useAsked(name: string, isReady: boolean, onAsked: (value: string) => void): void {
  const value = useSearchParams().get(name);
  const answer = useEffectEvent(onAsked);
  useEffect(() => {
    if (!isReady || value === null) return;
    removeParameter(name);
    answer(value);
    // A navigation still in progress would restore the parameter, so removal is repeated.
    const again = setInterval(() => removeParameter(name), AGAIN_MS);
    return () => clearInterval(again);
  }, [isReady, value, name]);
}

function removeParameter(name: string): void {
  changeQuery((query) => {
    query.delete(name);
    return query;
  });
}
