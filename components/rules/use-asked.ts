import { useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent } from 'react';
import { changeQuery } from '@/lib/client/change-query';

const AGAIN_MS = 500;

/** Does what the address asks for with `?name=value`, once the page is ready, and takes it off the address. */
export function useAsked(name: string, isReady: boolean, onAsked: (value: string) => void): void {
  const value = useSearchParams().get(name);
  const answer = useEffectEvent(onAsked);
  useEffect(() => {
    if (!isReady || value === null) return;
    takeOff(name);
    answer(value);
    // A navigation that is still in progress restores the address that it was for.
    const again = setInterval(() => takeOff(name), AGAIN_MS);
    return () => clearInterval(again);
  }, [isReady, value, name]);
}

function takeOff(name: string): void {
  changeQuery((query) => {
    query.delete(name);
    return query;
  });
}
