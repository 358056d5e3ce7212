import { Alert } from '@/components/ui/alert';
import { formatNumber } from '@/lib/client/format';

const MOST_PERCENT = 80;

/** Warns when most or all of the period's notifications are used. */
export function UsageNotice({ used, limit }: { used: number; limit: number }) {
  if (limit <= 0 || used * 100 < limit * MOST_PERCENT) return null;
  if (used >= limit)
    return (
      <Alert variant="danger">
        All {formatNumber(limit)} notifications of this period are used. Posting resumes with the next period.
      </Alert>
    );
  return (
    <Alert variant="warning">
      {formatNumber(used)} of {formatNumber(limit)} notifications of this period are used. At the limit,
      posting stops until the next period.
    </Alert>
  );
}
