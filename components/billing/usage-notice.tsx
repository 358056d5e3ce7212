import { Alert } from '@/components/ui/alert';
import { useNow } from '@/lib/client/use-now';
import { type Usage, usageText } from './usage-text';

/** Warns when most or all of the period's notifications are used. */
export function UsageNotice(usage: Usage) {
  const text = usageText(usage, useNow());
  if (text === null) return null;
  return <Alert variant={usage.used >= usage.limit ? 'danger' : 'warning'}>{text}</Alert>;
}
