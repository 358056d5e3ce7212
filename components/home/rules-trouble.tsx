import { TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { buttonClass } from '@/components/ui/button';
import { formatNumber } from '@/lib/client/format';
import { useRules } from '@/lib/client/resources';

/** A yellow card for rules that somebody has to mend. */
export function RulesTrouble() {
  const { data: rules = [] } = useRules();
  const stuck = rules.filter(({ health }) => health.state === 'blocked' || health.state === 'broken');
  const [first] = stuck;
  if (!first) return null;
  const isOne = stuck.length === 1;
  return (
    <section className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-warning-line bg-warning-soft px-5 py-4">
      <TriangleAlert className="size-5 shrink-0 text-warning" aria-hidden />
      <div className="min-w-52 flex-1">
        <h2 className="font-semibold text-warning">
          {isOne ? '1 rule needs' : `${formatNumber(stuck.length)} rules need`} attention
        </h2>
        <p className="text-pretty text-warning">
          {isOne
            ? `${first.databaseName} → #${first.channelName}: ${first.health.reason}`
            : 'Rules says what each of them needs.'}
        </p>
      </div>
      <Link href="/rules" className={buttonClass({ variant: 'outline', size: 'sm' })}>
        See what to do
      </Link>
    </section>
  );
}
