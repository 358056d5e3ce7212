import { Alert } from '@/components/ui/alert';
import { formatNumber } from '@/lib/client/format';

const MAX_PERCENT = 80;

interface UsageNoticeProps {
  used: number;
  limit: number;
  /** The subscription's status. A trial has no next period. */
  status: string;
}

/** Warns when most or all of the period's notifications are used. */
export function UsageNotice({ used, limit, status }: UsageNoticeProps) {
  if (limit <= 0 || used * 100 < limit * MAX_PERCENT) return null;
  const isTrial = status === 'trial';
  const span = isTrial ? 'trial' : 'period';
  if (used >= limit)
    return (
      <Alert variant="danger">
        All {formatNumber(limit)} notifications of this {span} are used. Posting resumes with{' '}
        {isTrial ? 'a subscription' : 'the next period'}.
      </Alert>
    );
  return (
    <Alert variant="warning">
      {formatNumber(used)} of {formatNumber(limit)} notifications of this {span} are used. At the limit,
      posting stops until {isTrial ? 'you subscribe' : 'the next period'}.
    </Alert>
  );
}
