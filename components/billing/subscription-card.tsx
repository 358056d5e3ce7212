'use client';

import { useSWRConfig } from 'swr';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardTitle } from '@/components/ui/card';
import { Fact, Facts } from '@/components/ui/facts';
import { api } from '@/lib/client/api';
import { failureText } from '@/lib/client/error-text';
import { formatDate, planName } from '@/lib/client/format';
import { gone, useAction } from '@/lib/client/use-action';
import type { Billing } from '@/lib/features/billing/schema';
import { StatusBadge } from './status-badge';

const CHECKOUT = {
  path: '/api/app/billing/create-checkout-session',
  refused: 'Failed to create checkout session',
  failed: 'Failed to start checkout',
};
const PORTAL = {
  path: '/api/app/billing/create-portal-session',
  refused: 'Failed to create portal session',
  failed: 'Failed to open billing portal',
};

/** States in which only Manage Billing makes posting go on. */
const HALTED = ['past_due', 'paused'];

/** What is next; a subscription that ends later renews before that. */
function nextDates({ isTrialActive, trialEndsAt, renewsAt, cancelsAt, status }: Billing['subscription']) {
  const dates = [
    { name: 'Renews', at: renewsAt },
    { name: 'Ends', at: cancelsAt },
  ];
  const ofTrial = status === 'trial' ? trialEndsAt : null;
  const trial = { name: isTrialActive ? 'Trial ends' : 'Trial ended', at: ofTrial };
  return (renewsAt || cancelsAt ? dates : [trial]).flatMap(({ name, at }) => (at ? [{ name, at }] : []));
}

export function SubscriptionCard({ subscription }: { subscription: Billing['subscription'] }) {
  const { mutate } = useSWRConfig();
  const subscribed =
    subscription.stripeSubscriptionId !== null && !['canceled', 'incomplete'].includes(subscription.status);
  const next = nextDates(subscription);
  const { path, refused, failed } = subscribed ? PORTAL : CHECKOUT;
  const { busy, error, run } = useAction(failed, (reason) => failureText(reason, refused, failed));

  const go = () =>
    run(async () => {
      const { url } = await api<{ url: string }>(path, 'POST').catch((reason) => {
        // Another tab may have subscribed or cancelled meanwhile.
        void mutate('/api/app/billing');
        throw reason;
      });
      window.location.assign(url);
      await gone();
    });

  return (
    <Card className="p-5" aria-labelledby="plan-title">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <CardTitle id="plan-title">Current plan</CardTitle>
          <p className="mt-1 flex flex-wrap items-center gap-3">
            <span className="font-semibold text-xl tracking-tight">{planName(subscription.plan)}</span>
            <StatusBadge subscription={subscription} />
          </p>
        </div>
        {subscribed ? (
          <Button
            variant={HALTED.includes(subscription.status) ? 'primary' : 'outline'}
            busy={busy}
            busyLabel="Opening portal..."
            onClick={go}
          >
            Manage Billing
          </Button>
        ) : (
          <Button busy={busy} busyLabel="Opening checkout..." onClick={go}>
            Upgrade Now
          </Button>
        )}
      </div>
      {next.length > 0 ? (
        <Facts className="mt-5 border-t pt-4">
          {next.map(({ name, at }) => (
            <Fact key={name} name={name}>
              {formatDate(at)}
            </Fact>
          ))}
          <Fact name="Price">
            {subscription.isTrialActive && !subscribed ? 'Free during the trial' : '$19/month'}
          </Fact>
        </Facts>
      ) : null}
      {subscription.cancelsAt ? (
        <p className="mt-4 text-muted text-xs">
          The subscription is canceled. The plan stays until {formatDate(subscription.cancelsAt)}; until then
          it can be kept under Manage Billing.
        </p>
      ) : null}
      {error ? (
        <Alert variant="danger" urgent className="mt-4">
          {error}
        </Alert>
      ) : null}
    </Card>
  );
}
