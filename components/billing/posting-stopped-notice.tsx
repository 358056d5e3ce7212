import type { ReactNode } from 'react';
import { Alert } from '@/components/ui/alert';

/** Says why nothing is posted although a subscription exists or existed. */
export function PostingStoppedNotice({ status, action }: { status: string; action?: ReactNode }) {
  if (status === 'past_due')
    return (
      <Alert variant="danger" action={action}>
        A payment is overdue, and posting has stopped. Under Manage Billing you can pay with another card.
      </Alert>
    );
  if (status === 'paused')
    return (
      <Alert variant="danger" action={action}>
        Your subscription is paused, and posting has stopped. Under Manage Billing you can continue it.
      </Alert>
    );
  if (status === 'canceled')
    return (
      <Alert variant="danger" action={action}>
        Your subscription has ended, and posting has stopped. Your rules and connections are kept.
      </Alert>
    );
  return null;
}
