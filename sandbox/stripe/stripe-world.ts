import { randomBytes } from 'node:crypto';
import type { SandboxContext } from '../context';
import type { Slice } from '../store';
import { missing } from './stripe-error';
import {
  type StoredCustomer,
  type StoredInvoice,
  type StoredSubscription,
  type StripeState,
  stripeState,
  type WebhookEvent,
} from './stripe-state';

/** The one API version that the sandbox supports. */
export const API_VERSION = '2026-10-28.endive';

/** The stand-in's state, and what every part of it needs. */
export class StripeWorld {
  private readonly slice: Slice<StripeState>;
  /** Called when there is a webhook to send. */
  wake: () => void = () => {};

  constructor(readonly context: SandboxContext) {
    this.slice = stripeState(context);
  }

  get state(): StripeState {
    return this.slice.value;
  }

  save(): void {
    this.slice.save();
  }

  /** Unix seconds of the sandbox's clock. */
  now(): number {
    return Math.floor(this.context.now().getTime() / 1000);
  }

  newId(prefix: string): string {
    return `${prefix}_${randomBytes(12).toString('hex')}`;
  }

  nextNumber(): number {
    this.state.lastNumber += 1;
    return this.state.lastNumber;
  }

  /** An existing customer. Throws resource_missing, even for a deleted one. */
  customer(id: string, param?: string): StoredCustomer {
    const found = this.state.customers[id];
    if (!found || found.isDeleted) throw missing('customer', id, param);
    return found;
  }

  subscriptionsOf(customerId: string): StoredSubscription[] {
    return newestFirst(
      Object.values(this.state.subscriptions).filter((each) => each.customerId === customerId),
    );
  }

  invoicesOf(customerId: string): StoredInvoice[] {
    return newestFirst(Object.values(this.state.invoices).filter((each) => each.customerId === customerId));
  }

  /** Notifies the application, with the object as it is now. */
  emit(type: string, object: object): void {
    const event: WebhookEvent = {
      payload: {
        id: this.newId('evt'),
        object: 'event',
        api_version: API_VERSION,
        created: this.now(),
        livemode: false,
        pending_webhooks: 1,
        request: null,
        type,
        data: { object },
      },
      state: 'waiting',
      faultDrawn: false,
      repeats: 0,
      tries: 0,
      dueAtMs: Date.now(),
      answers: [],
    };
    this.state.events.push(event);
    this.save();
    this.wake();
  }
}

// Later objects come later in the store, even within the same second.
function newestFirst<T extends { created: number }>(list: T[]): T[] {
  return list.reverse().sort((a, b) => b.created - a.created);
}
