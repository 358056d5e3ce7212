import { Badge } from '@/components/ui/badge';
import type { Billing } from '@/lib/features/billing/schema';

/** The subscription's status; a status without its own label is shown raw. */
export function StatusBadge({ subscription }: { subscription: Billing['subscription'] }) {
  if (subscription.isTrialActive) return <Badge variant="blurple">Trial</Badge>;
  switch (subscription.status) {
    case 'active':
      return <Badge variant="signal">Active</Badge>;
    case 'canceled':
      return <Badge variant="danger">Canceled</Badge>;
    case 'past_due':
      return <Badge variant="warning">Past Due</Badge>;
    default:
      return <Badge>{subscription.status}</Badge>;
  }
}
