'use client';

import { ClosedSection } from '@/components/ui/closed-section';
import { lateSection } from '@/components/ui/late';
import { Skeleton } from '@/components/ui/skeleton';
import { describeTiming } from '@/lib/features/calendar/words';
import { isToPeople } from '@/lib/features/matching/words';
import type { MoreProps } from './action-fields';
import { inUse, type RuleFormValues } from './rule-terms';

const RuleMoreFields = lateSection(
  () => import('./rule-more-fields').then((module) => module.RuleMoreFields),
  () => <Skeleton className="h-40" />,
);

/** Settings that few rules need: a name, when to post, one card for each page, its size, its buttons, and rolling up. */
export function RuleMore(props: MoreProps) {
  return (
    <ClosedSection id="rule-more" title="More" summary={describeMore(props.values)}>
      <RuleMoreFields {...props} />
    </ClosedSection>
  );
}

const REPLIES = { each: 'a card', living: 'a line', quiet: 'a silent line' };

function describeMore(values: RuleFormValues): string {
  const { name, urgent, card, size, rollUp } = values;
  const isPeople = isToPeople(values);
  const inForum = values.destination.kind === 'forum';
  const called = name?.trim();
  const digest = describeTiming(inUse(values).timing);
  const ofCards = [
    ...(urgent ? ['Posts in quiet hours too.'] : []),
    ...(inForum ? [`Later events are told by ${REPLIES[card]} in the post.`] : []),
    ...(card === 'each' || inForum
      ? []
      : [`One card for each page${card === 'living' && !isPeople ? ', with a thread' : ''}.`]),
    ...(size === 'compact' ? ['One line for each event.'] : []),
    ...(rollUp ? ['A flood becomes one card that counts.'] : []),
  ];
  return [
    called ? `Named “${called}”.` : 'No name: what the rule does stands for it.',
    ...(digest ? [`${isPeople ? 'Writes' : 'Posts'} a ${digest}.`] : ofCards),
  ].join(' ');
}
