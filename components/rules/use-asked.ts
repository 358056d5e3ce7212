import { useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent } from 'react';
import { changeQuery } from '@/lib/client/change-query';

const AGAIN_MS = 500;

/** Does what the address requests with `?name=value`, once the page is ready, and removes the parameter. */
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
