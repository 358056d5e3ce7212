/** @jsxImportSource hono/jsx */
import type { StoredSession } from '../stripe-state';
import type { StripeWorld } from '../stripe-world';
import { CardChoice } from './card-choice';
import { Day, money } from './format';

interface Props {
  world: StripeWorld;
  session: StoredSession;
  isDeclined: boolean;
}

export function CheckoutPage({ world, session, isDeclined }: Props) {
  const customer = session.customerId ? world.state.customers[session.customerId] : undefined;
  const email = customer?.email ?? session.customerEmail;
  const { trialEnd } = session;
  return (
    <main class="pay">
      <section class="summary">
        <p class="quiet">Subscribe to Pagewire Starter</p>
        <h1>
          {money()} <small>per month</small>
        </h1>
        {trialEnd ? (
          <p>
            Nothing is charged before <Day at={trialEnd} />.
          </p>
        ) : null}
        <ul>
          <li>1,000 notifications per month</li>
          <li>Up to 10 notification rules</li>
        </ul>
      </section>
      <section class="panel">
        <h2>Payment</h2>
        {email ? <p class="quiet">{email}</p> : null}
        {isDeclined ? <p role="alert">Your card was declined. Choose another card.</p> : null}
        <form method="post">
          <CardChoice chosen={isDeclined ? 'declined' : 'good'} />
          <button type="submit" name="decision" value="pay" class="primary">
            Subscribe
          </button>
          <button type="submit" name="decision" value="cancel" class="plain">
            Cancel and go back
          </button>
        </form>
        <p class="quiet">No money moves here. Nothing is asked for but the choice of a card.</p>
      </section>
    </main>
  );
}
