'use client';

import { StaleNote } from '@/components/ui/stale-note';
import { useMe, useRules, useServer, useWorkspace } from '@/lib/client/resources';

/** Says that the account, its rules and its connections are shown as they were, because they cannot be refreshed. */
export function StaleState() {
  const reads = [useMe(), useRules(), useServer(), useWorkspace()];
  const isStale = reads.some(({ data, error }) => data !== undefined && error !== undefined);
  return <StaleNote when={isStale} />;
}
