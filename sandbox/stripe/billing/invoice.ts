import { AMOUNT_CENTS } from '../starter-price';
import type { StoredInvoice, StoredSubscription } from '../stripe-state';
import type { StripeWorld } from '../stripe-world';
import { toInvoice } from '../to-api';

/** Creates the invoice of a subscription's current period; a free one counts as paid. */
export function addInvoice(
  world: StripeWorld,
  subscription: StoredSubscription,
  amount = AMOUNT_CENTS,
): StoredInvoice {
  const invoice: StoredInvoice = {
    id: world.newId('in'),
    number: `PW-${String(world.nextNumber()).padStart(4, '0')}`,
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
    status: amount === 0 ? 'paid' : 'open',
    amount,
    created: world.now(),
    periodStart: subscription.periodStart,
    periodEnd: subscription.periodEnd,
    attempts: 0,
    metadata: subscription.metadata,
  };
  world.state.invoices[invoice.id] = invoice;
  subscription.latestInvoiceId = invoice.id;
  return invoice;
}

/** Charges the customer's card for an open invoice. Notifies the application either way. */
export function charge(world: StripeWorld, invoice: StoredInvoice, isFirst = false): boolean {
  const card = world.state.customers[invoice.customerId]?.card;
  const works = card === 'good' || (card === 'fading' && isFirst);
  invoice.attempts += 1;
  if (works) invoice.status = 'paid';
  world.emit(works ? 'invoice.paid' : 'invoice.payment_failed', toInvoice(invoice));
  return works;
}
