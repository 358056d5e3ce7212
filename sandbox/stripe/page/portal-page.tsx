/** @jsxImportSource hono/jsx */
import { isOver } from '../billing/subscription-changes';
import { CARDS } from '../cards';
import type { StoredCustomer, StoredPortal, StoredSubscription } from '../stripe-state';
import type { StripeWorld } from '../stripe-world';
import { CardChoice } from './card-choice';
import { Day, money } from './format';

interface Props {
  world: StripeWorld;
  portal: StoredPortal;
  customer: StoredCustomer;
}

export function PortalPage({ world, portal, customer }: Props) {
  const subscriptions = world.subscriptionsOf(customer.id);
  const invoices = world.invoicesOf(customer.id);
  const card = customer.card ? CARDS[customer.card] : null;
  return (
    <main class="portal">
      {portal.returnUrl ? (
        <p>
          <a href={portal.returnUrl}>Return to Pagewire</a>
        </p>
      ) : null}
      <h1>Billing</h1>
      {subscriptions.map((each) => (
        <SubscriptionPanel key={each.id} portal={portal} subscription={each} />
      ))}
      {subscriptions.length === 0 ? <p class="quiet">There is no subscription.</p> : null}
      <section class="panel">
        <h2>Payment method</h2>
        <p>{card ? `${card.brand} •••• ${card.last4}` : 'No card yet'}</p>
        <form method="post" action={`/portal/${portal.id}/card`}>
          <CardChoice chosen={customer.card ?? 'good'} />
          <button type="submit">Use this card</button>
        </form>
      </section>
      <section class="panel">
        <h2>Invoices</h2>
        {invoices.length === 0 ? <p class="quiet">No invoices yet.</p> : null}
        <ul class="lines">
          {invoices.map((each) => (
            <li key={each.id}>
              <Day at={each.created} /> <span>{each.number}</span> <span>{money(each.amount)}</span>{' '}
              <span class={`state ${each.status}`}>{each.status}</span>
            </li>
          ))}
        </ul>
      </section>
    </main>
  );
}

function SubscriptionPanel(props: { portal: StoredPortal; subscription: StoredSubscription }) {
  const { portal, subscription } = props;
  const { cancelAt, periodEnd } = subscription;
  return (
    <section class="panel">
      <h2>
        Pagewire Starter <span class={`state ${subscription.status}`}>{subscription.status}</span>
      </h2>
      <p>{money()} per month</p>
      {isOver(subscription) ? (
        <p class="quiet">This subscription has ended.</p>
      ) : (
        <>
          <p>
            {cancelAt ? 'Ends on ' : 'Renews on '}
            <Day at={cancelAt ?? periodEnd} />
          </p>
          <form method="post" action={`/portal/${portal.id}/subscriptions/${subscription.id}`} class="row">
            {cancelAt ? (
              <button type="submit" name="action" value="resume">
                Keep subscription
              </button>
            ) : (
              <button type="submit" name="action" value="cancel-at-period-end">
                Cancel at period end
              </button>
            )}
            <button type="submit" name="action" value="cancel-now" class="danger">
              Cancel now
            </button>
          </form>
        </>
      )}
    </section>
  );
}
