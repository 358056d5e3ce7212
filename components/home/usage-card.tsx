import { Card } from '@/components/ui/card';
import { Progress } from '@/components/ui/progress';
import { formatNumber } from '@/lib/client/format';
import type { Me } from '@/lib/features/account/schema';
import { UsageDays } from './usage-days';

export function UsageCard({ subscription }: { subscription: Me['subscription'] }) {
  const { notificationsUsed: used, notificationsLimit: limit } = subscription;
  const percent = limit > 0 ? (used / limit) * 100 : 0;
  return (
    <Card className="flex flex-col p-5" aria-labelledby="usage-title">
      <h2 id="usage-title" className="font-medium text-muted">
        Usage This Month
      </h2>
      <p className="nums mt-2">
        <span className="font-semibold text-xl tracking-tight">{formatNumber(used)}</span>
        <span className="text-muted"> / {formatNumber(limit)}</span>
        <span className="text-muted"> notifications</span>
      </p>
      <UsageDays subscription={subscription} />
      <div className="mt-auto pt-4">
        <Progress
          percent={percent}
          label="Usage This Month"
          text={`${percent.toFixed(1)}% of monthly limit`}
        />
        <p className="nums mt-2 text-muted text-xs">{percent.toFixed(1)}% of monthly limit</p>
      </div>
    </Card>
  );
}
