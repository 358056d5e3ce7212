'use client';

import { StaleNote } from '@/components/ui/stale-note';
import { useRules, useServer, useWorkspace } from '@/lib/client/resources';

/** Says that rules and connections are shown as they were, because they cannot be refreshed. */
export function StaleState() {
  const reads = [useRules(), useServer(), useWorkspace()];
  const isStale = reads.some(({ data, error }) => data !== undefined && error !== undefined);
  return isStale ? <StaleNote>The newest state could not be read. It is looked for again.</StaleNote> : null;
}
