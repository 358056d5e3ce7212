import { type Answer, WebhookOutbox } from '../../webhook-outbox';
import type { WebhookEvent } from '../stripe-state';
import type { StripeWorld } from '../stripe-world';
import { webhookSignature } from './webhook-signature';

/** Stripe's webhooks, signed, each sent at most six times. */
export class StripeOutbox extends WebhookOutbox<WebhookEvent, StripeWorld> {
  constructor(world: StripeWorld) {
    super(world, { target: 'stripe.webhook', path: '/api/stripe/webhook', mostAttempts: 6 });
  }

  protected override compose(event: WebhookEvent) {
    const body = JSON.stringify(event.payload, null, 2);
    // Signed by the real clock: the sandbox's clock may be ahead of the application's.
    const signedAt = Math.floor(Date.now() / 1000);
    const { webhookSecret } = this.world.context.credentials.stripe;
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': webhookSignature(body, webhookSecret, signedAt),
    };
    return { body, headers };
  }

  protected override noteAnswer(event: WebhookEvent, answer: Answer): void {
    event.answers.push(answer);
  }

  protected override retryBaseMs(): number {
    return this.world.state.settings.retryBaseMs;
  }
}
