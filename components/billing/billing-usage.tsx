import { Card, CardTitle } from '@/components/ui/card';
import { Progress } from '@/components/ui/progress';
import { formatDate, formatNumber } from '@/lib/client/format';
import type { Billing } from '@/lib/features/billing/schema';

export function BillingUsage({ usage }: { usage: Billing['usage'] }) {
  const { notificationsUsed: used, notificationsLimit: limit } = usage;
  const percent = limit > 0 ? (used / limit) * 100 : 0;
  const rounded = Math.round(percent);
  return (
    <Card className="p-5" aria-labelledby="billing-usage-title">
      <CardTitle id="billing-usage-title">Usage</CardTitle>
      <p className="nums mt-1">
        <span className="font-semibold text-xl tracking-tight">{formatNumber(used)}</span>
        <span className="text-muted"> / {formatNumber(limit)} notifications</span>
      </p>
      <div className="mt-4">
        <Progress percent={percent} label="Notifications used" text={`${rounded}% used`} />
      </div>
      <p className="nums mt-2 flex flex-wrap justify-between gap-x-4 text-muted text-xs">
        <span>{rounded}% used</span>
        <span>
          {formatDate(usage.periodStart)} to {formatDate(usage.periodEnd)}
        </span>
      </p>
    </Card>
  );
}
