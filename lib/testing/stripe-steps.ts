import { db } from '@/lib/db/database';
import { currentPeriod } from '@/lib/features/billing/period';
import { DAY_MS } from '@/lib/time';
import { webhookSignature } from '../../sandbox/stripe/webhooks/webhook-signature';
import { eventually, type TestProduct } from './product';

const MIRA = '208917000000000101';

interface ApiItem {
  current_period_start: number;
  current_period_end: number;
}

interface ApiSubscription {
  id: string;
  status: string;
  customer: string;
  created: number;
  cancel_at: number | null;
  items: { data: [ApiItem, ...ApiItem[]] };
}

/** The checkout, the portal and the webhooks of the sandbox's Stripe, as tests use them. */
export class StripeSteps {
  constructor(readonly product: TestProduct) {}

  /** Opens a checkout as the account and pays it. Returns whether the card was taken. */
  async buy(card = 'good'): Promise<boolean> {
    const { status, body } = await this.product.call(
      'mira',
      'POST',
      '/api/app/billing/create-checkout-session',
    );
    if (status !== 200) throw new Error(`checkout: ${status} ${JSON.stringify(body)}`);
    return this.pay(body.url, card);
  }

  async pay(url: string, card = 'good'): Promise<boolean> {
    const id = new URL(url).pathname.split('/').at(-1);
    return (await this.product.control('stripe', 'POST', `/sessions/${id}/pay`, { card })).paid;
  }

  /** Opens and pays a second session next to the product's own, as if two tabs had each opened one. */
  buyPastTheProduct(customerId: string, accountId: string): Promise<void> {
    return this.buyElsewhere(customerId, [this.planPrice], { accountId });
  }

  get planPrice(): string {
    return this.product.sandbox.context.credentials.stripe.priceId;
  }

  /**
   * Makes the customer subscribe to something that another program with the same Stripe account sells, and pay it.
   */
  async buyElsewhere(
    customerId: string,
    prices: string[],
    metadata: Record<string, string> = {},
    trialDays = 0,
  ): Promise<void> {
    await this.pay(await this.openElsewhere(customerId, prices, metadata, trialDays));
  }

  /** Opens such a session. Returns the address at which to pay it. */
  async openElsewhere(
    customerId: string,
    prices: string[],
    metadata: Record<string, string> = {},
    trialDays = 0,
  ) {
    const { urls, credentials } = this.product.sandbox.context;
    const form = new URLSearchParams({
      mode: 'subscription',
      customer: customerId,
      success_url: 'https://example.com/',
    });
    for (const [index, price] of prices.entries()) {
      form.append(`line_items[${index}][price]`, price);
      form.append(`line_items[${index}][quantity]`, '1');
    }
    for (const [name, value] of Object.entries(metadata)) {
      form.append(`subscription_data[metadata][${name}]`, value);
    }
    if (trialDays > 0) form.append('subscription_data[trial_period_days]', String(trialDays));
    const response = await fetch(`${urls.stripe}/v1/checkout/sessions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${credentials.stripe.secretKey}`,
        'stripe-version': '2026-10-28.endive',
      },
      body: form,
    });
    return ((await response.json()) as { url: string }).url;
  }

  change(
    id: string,
    action:
      | 'cancel-now'
      | 'cancel-at-period-end'
      | 'resume'
      | 'wait-for-payment'
      | 'take-payment'
      | 'go-unpaid'
      | 'pause'
      | 'unpause',
  ): Promise<void> {
    return this.product.control('stripe', 'POST', `/subscriptions/${id}`, { action });
  }

  /** Every subscription of the stand-in, the oldest first. */
  subscriptions(): Promise<ApiSubscription[]> {
    return this.product.control('stripe', 'GET', '/subscriptions');
  }

  async advanceDays(days: number): Promise<void> {
    const response = await fetch(`${this.product.sandbox.context.urls.stripe}/_sandbox/clock`, {
      method: 'POST',
      body: JSON.stringify({ advanceMs: Math.round(days * DAY_MS) }),
    });
    if (!response.ok) throw new Error(await response.text());
    // The stand-in does what has become due at its next call.
    await this.subscriptions();
  }

  fault(kind: 'drop' | 'duplicate' | 'delay' | 'reorder' | 'fail', match?: string, times = 0): void {
    const fault = { target: 'stripe.webhook', kind, times, status: 500, delayMs: 20 } as const;
    this.product.sandbox.context.faults.add(match ? { ...fault, match } : fault);
  }

  /** Posts a text to Stripe's door, signed as of `secondsAgo` with our secret or another. */
  async knock(body: string, { secondsAgo = 0, secret = '' } = {}): Promise<number> {
    const at = Math.floor(Date.now() / 1000) - secondsAgo;
    const { webhookSecret } = this.product.sandbox.context.credentials.stripe;
    const response = await fetch(`${this.product.url}/api/stripe/webhook`, {
      method: 'POST',
      headers: { 'stripe-signature': webhookSignature(body, secret || webhookSecret, at) },
      body,
    });
    return response.status;
  }

  /** Waits until every webhook has been sent and no job or turn is left except those of a later day. */
  async drain(): Promise<void> {
    await eventually(() => this.isDrained());
  }

  async isDrained(): Promise<boolean> {
    const events: { state: string }[] = await this.product.control('stripe', 'GET', '/events');
    if (events.some(({ state }) => ['waiting', 'sending'].includes(state))) return false;
    const [{ jobs } = { jobs: 1 }] = await db().$queryRaw<{ jobs: number }[]>`
      select ((select count(*) from graphile_worker.jobs where run_at < now() + interval '1 hour')
        + (select count(*) from page_turn where due_at < now() + interval '1 hour')
        + (select count(*) from channel_turn where due_at < now() + interval '1 hour'))::int as jobs`;
    return jobs === 0;
  }

  /** Makes an account's current period count this many notifications as sent. */
  async use(sent: number, discordUserId = MIRA): Promise<void> {
    const account = await db().account.findFirstOrThrow({ where: { discordUserId } });
    const { start: startsAt, end: endsAt } = currentPeriod(account, new Date());
    const key = { accountId: account.id, startsAt };
    const count = { sent, reserved: sent };
    await db().usagePeriod.upsert({
      where: { accountId_startsAt: key },
      create: { ...key, endsAt, ...count },
      update: count,
    });
  }

  async subscription() {
    return (await this.product.call('mira', 'GET', '/api/app/billing')).body.subscription;
  }
}
