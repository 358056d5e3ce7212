'use client';

import { type ReactNode, useTransition } from 'react';
import { Departure } from '@/lib/client/use-push';
import { ProgressLine } from './progress-line';

/** Shows a line while a page that somebody has gone to is on its way. */
export function Departures({ children }: { children: ReactNode }) {
  const [isUnderway, start] = useTransition();
  return (
    <Departure value={start}>
      {isUnderway ? <ProgressLine /> : null}
      {children}
    </Departure>
  );
}
