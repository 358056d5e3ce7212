/** @jsxImportSource hono/jsx */
import type { StripeWorld } from '../stripe-world';
import { Day } from './format';

const DAY_MS = 86_400_000;
const SHOWN_EVENTS = 12;

/** The subscribers, the webhooks sent to the application, and the clock. */
export function HomePage({ world }: { world: StripeWorld }) {
  const customers = Object.values(world.state.customers).filter((each) => !each.isDeleted);
  const events = world.state.events.slice(-SHOWN_EVENTS).reverse();
  return (
    <main class="portal">
      <h1>Customers and events</h1>
      <section class="panel">
        <h2>Clock</h2>
        <p>
          It is <Day at={world.now()} /> here. Moving the clock turns periods, renews and charges.
        </p>
        <div class="row">
          <button type="button" data-advance-ms={DAY_MS}>
            One day later
          </button>
          <button type="button" data-advance-ms={31 * DAY_MS}>
            One month later
          </button>
        </div>
      </section>
      <section class="panel">
        <h2>Customers</h2>
        {customers.length === 0 ? <p class="quiet">Nobody has been to a checkout yet.</p> : null}
        <ul class="lines">
          {customers.map((each) => (
            <li key={each.id}>
              {each.email ?? each.id}{' '}
              {world.subscriptionsOf(each.id).map(({ id, status }) => (
                <span key={id} class={`state ${status}`}>
                  {status}
                </span>
              ))}
            </li>
          ))}
        </ul>
      </section>
      <section class="panel">
        <h2>Webhook deliveries</h2>
        {events.length === 0 ? <p class="quiet">No events yet.</p> : null}
        <ul class="lines">
          {events.map(({ payload, state, answers }) => (
            <li key={payload.id}>
              <code>{payload.type}</code> <span class={`state ${state}`}>{state}</span>{' '}
              <span class="quiet">{answers.at(-1) ?? ''}</span>
            </li>
          ))}
        </ul>
      </section>
    </main>
  );
}

export function ClosedPage({ reason, backUrl }: { reason: string; backUrl: string }) {
  return (
    <main class="portal">
      <h1>Nothing to pay here</h1>
      <p role="alert">{reason}</p>
      <p>
        <a href={backUrl}>Return to Pagewire</a>
      </p>
    </main>
  );
}
