'use client';

import { lateSection } from '@/components/ui/late';
import { Skeleton } from '@/components/ui/skeleton';
import type { Rule } from '@/lib/features/rules/schema';
import { findTroubles, type LostConnection } from './find-troubles';

const TroubleBanner = lateSection(
  () => import('./trouble-banner').then((module) => module.TroubleBanner),
  () => <Skeleton className="h-26.5 rounded-lg max-sm:h-41.5" />,
);

/** The problems that stop rules and that a person can fix, each once with all the rules that it stops. */
export function RuleTroubles({
  rules,
  lost,
  onRepair,
}: {
  rules: Rule[];
  lost: LostConnection[];
  onRepair: (rule: Rule) => void;
}) {
  const troubles = findTroubles(rules, lost);
  if (troubles.length === 0) return null;
  return (
    <ul className="mb-4 space-y-3" aria-label="What needs attention">
      {troubles.map((trouble) => (
        <li key={trouble.key}>
          <TroubleBanner trouble={trouble} onRepair={onRepair} />
        </li>
      ))}
    </ul>
  );
}
