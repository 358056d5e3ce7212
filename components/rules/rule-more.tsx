'use client';

import dynamic from 'next/dynamic';
import { ClosedSection } from '@/components/ui/closed-section';
import { Skeleton } from '@/components/ui/skeleton';
import { describeTiming } from '@/lib/features/calendar/words';
import type { RuleFormValues } from './rule-terms';

const RuleMoreFields = dynamic(() => import('./rule-more-fields').then((module) => module.RuleMoreFields), {
  ssr: false,
  loading: () => <Skeleton className="h-40" />,
});

/** What few rules need: a name, when they post, one card for each page, its size, and whether many become one. */
export function RuleMore({
  values,
  onChange,
}: {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
}) {
  return (
    <ClosedSection id="rule-more" title="More" summary={describeMore(values)}>
      <RuleMoreFields values={values} onChange={onChange} />
    </ClosedSection>
  );
}

const REPLIES = { each: 'a card', living: 'a line', quiet: 'a silent line' };

function describeMore({ name, timing, urgent, card, size, rollUp, destination }: RuleFormValues): string {
  const called = name?.trim();
  const digest = describeTiming(timing);
  const ofCards = [
    ...(urgent ? ['Posts in quiet hours too.'] : []),
    ...(destination.kind === 'forum' ? [`Later events are told by ${REPLIES[card]} in the post.`] : []),
    ...(card === 'each' || destination.kind === 'forum'
      ? []
      : [`One card for each page${card === 'living' ? ', with a thread' : ''}.`]),
    ...(size === 'compact' ? ['One line for each event.'] : []),
    ...(rollUp ? ['A flood becomes one card that counts.'] : []),
  ];
  return [
    called ? `Named “${called}”.` : 'No name: what the rule does stands for it.',
    ...(digest ? [`Posts a ${digest}.`] : ofCards),
  ].join(' ');
}
