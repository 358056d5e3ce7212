import { TriangleAlert } from 'lucide-react';
import { formatNumber } from '@/lib/client/format';
import { useRules } from '@/lib/client/resources';
import { YellowCard } from './yellow-card';

/** A yellow card for rules that somebody has to fix. */
export function RulesTrouble() {
  const { data: rules = [] } = useRules();
  const stuck = rules.filter(({ health }) => health.state === 'blocked' || health.state === 'broken');
  const [first] = stuck;
  if (!first) return null;
  const isOne = stuck.length === 1;
  return (
    <YellowCard
      icon={TriangleAlert}
      title={`${isOne ? '1 rule needs' : `${formatNumber(stuck.length)} rules need`} attention`}
      text={
        isOne
          ? `${first.databaseName} → #${first.channelName}: ${first.health.reason}`
          : 'The Rules page says what each of them needs.'
      }
      action="See what to do"
      href="/rules"
    />
  );
}
