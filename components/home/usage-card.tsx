import { Card, CardTitle } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { Progress } from '@/components/ui/progress';
import { formatNumber } from '@/lib/client/format';
import { useNow } from '@/lib/client/use-now';
import type { Me } from '@/lib/features/account/schema';
import { goesOnBy, paceText } from './pace-text';
import { dayOfPeriod, planPace } from './plan-pace';
import { UsageChart } from './usage-chart';

/** The use of the plan, day by day, and how long it lasts at this pace. */
export function UsageCard({ subscription }: { subscription: Me['subscription'] }) {
  const { notificationsUsed: used, notificationsLimit: limit, periodStart, periodEnd } = subscription;
  const now = useNow();
  const period = { start: new Date(periodStart), end: new Date(periodEnd) };
  const percent = limit > 0 ? (used / limit) * 100 : 0;
  const today = dayOfPeriod(period, now);
  const pace = planPace({ used, limit, ...period }, now);
  const goesOn = goesOnBy(subscription);
  return (
    <Card className="flex flex-col p-5" aria-labelledby="usage-title">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <CardTitle id="usage-title">Usage This Month</CardTitle>
        {today ? (
          <p className="nums text-muted text-xs">
            Day {today.day} of {today.of}
          </p>
        ) : null}
      </div>
      <p className="nums mt-2">
        <Link href="/settings/billing" className="group rounded-md underline-offset-4 hover:underline">
          <span className="font-semibold text-xl tracking-tight">{formatNumber(used)}</span>
          <span className="text-muted"> / {formatNumber(limit)}</span>
          <span className="text-muted"> notifications</span>
        </Link>
      </p>
      <UsageChart subscription={subscription} />
      <div className="mt-auto pt-4">
        <Progress
          percent={percent}
          label="Usage This Month"
          text={`${percent.toFixed(1)}% of monthly limit`}
        />
        <div className="nums mt-2 flex flex-wrap justify-between gap-x-4 gap-y-1 text-muted text-xs">
          <Link href="/settings/billing" className="underline-offset-4 hover:underline">
            {percent.toFixed(1)}% of monthly limit
          </Link>
          <p>{paceText(pace, period.end, goesOn)}</p>
        </div>
      </div>
    </Card>
  );
}
