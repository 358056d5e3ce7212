import { Alert } from '@/components/ui/alert';
import { formatDate, sentence } from '@/lib/client/format';
import { useNow } from '@/lib/client/use-now';
import type { Billing } from '@/lib/features/billing/schema';

/** Says that a subscription has not begun, because its first payment is still open, and what is posted until then. */
export function FirstPaymentNotice({ subscription }: { subscription: Billing['subscription'] }) {
  const now = useNow();
  const { status, trialEndsAt, isFirstPaymentOpen } = subscription;
  if (!isFirstPaymentOpen) return null;
  const isOnTrial = status === 'incomplete';
  const isTrialRunning = isOnTrial && trialEndsAt !== null && new Date(trialEndsAt) > now;
  return (
    <Alert variant={isTrialRunning ? 'warning' : 'danger'}>
      The first payment for your subscription is still open.{' '}
      {isTrialRunning
        ? sentence(`Until it has gone through, your trial goes on, at most until ${formatDate(trialEndsAt)}`)
        : `${isOnTrial ? 'Your trial has ended, and posting' : 'Posting'} resumes once the payment has gone through.`}{' '}
      Under Upgrade Now you can pay in another way.
    </Alert>
  );
}
