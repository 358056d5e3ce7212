import type { WebhookEvent } from '../stripe-state';
import type { StripeWorld } from '../stripe-world';
import { webhookSignature } from './webhook-signature';

const MAX_ATTEMPTS = 6;
const PARALLEL = 8;
const TIMEOUT_MS = 10_000;
const KEPT_EVENTS = 500;
const LONGEST_SLEEP_MS = 60_000;
const PATH = '/api/stripe/webhook';

/** Sends the events to the application and repeats what fails. The queue outlives a restart. */
export class WebhookOutbox {
  private timer: NodeJS.Timeout | undefined;
  private sending = 0;

  constructor(private readonly world: StripeWorld) {
    world.wake = () => this.pump();
    for (const event of world.state.events) if (event.state === 'sending') event.state = 'waiting';
    this.pump();
  }

  /** Sends an event again under its old id, whatever became of it. */
  redeliver(event: WebhookEvent): void {
    Object.assign(event, { state: 'waiting', dueAtMs: Date.now(), tries: 0, faultDrawn: true });
    this.world.save();
    this.pump();
  }

  private pump(): void {
    clearTimeout(this.timer);
    const nowMs = Date.now();
    for (const event of this.world.state.events) {
      if (this.sending >= PARALLEL) break;
      if (event.state !== 'waiting' || event.dueAtMs > nowMs || this.isKeptBack(event)) continue;
      event.state = 'sending';
      this.sending += 1;
      void this.send(event).finally(() => {
        this.sending -= 1;
        this.pump();
      });
    }
    this.sleep();
  }

  private sleep(): void {
    const due = this.world.state.events.filter((each) => each.state === 'waiting');
    if (due.length === 0 || this.sending >= PARALLEL) return;
    const delayMs = Math.max(0, Math.min(...due.map((each) => each.dueAtMs)) - Date.now());
    this.timer = setTimeout(() => this.pump(), Math.min(delayMs, LONGEST_SLEEP_MS));
    this.timer.unref();
  }

  /** Draws the event's fault, once. True when it is not to be sent now. */
  private isKeptBack(event: WebhookEvent): boolean {
    if (event.faultDrawn) return false;
    event.faultDrawn = true;
    const fault = this.world.context.faults.take(
      'stripe.webhook',
      ['drop', 'duplicate', 'delay', 'reorder'],
      `POST ${PATH} ${event.payload.type}`,
    );
    if (fault?.kind === 'drop') event.state = 'dropped';
    if (fault?.kind === 'duplicate') event.repeats += 1;
    if (fault?.kind === 'delay') event.dueAtMs = Date.now() + fault.delayMs;
    if (fault?.kind === 'reorder') event.state = 'held';
    return event.state !== 'waiting' || event.dueAtMs > Date.now();
  }

  private async send(event: WebhookEvent): Promise<void> {
    event.tries += 1;
    const answer = await this.post(event);
    event.answers.push(answer);
    if (typeof answer === 'number' && answer >= 200 && answer < 300) this.settle(event);
    else if (event.tries >= MAX_ATTEMPTS) event.state = 'failed';
    else {
      event.state = 'waiting';
      event.dueAtMs = Date.now() + this.world.state.settings.retryBaseMs * 2 ** (event.tries - 1);
    }
    this.releaseHeld(event);
    this.forgetOldest();
    this.world.save();
  }

  private settle(event: WebhookEvent): void {
    event.state = event.repeats > 0 ? 'waiting' : 'sent';
    if (event.repeats === 0) return;
    event.repeats -= 1;
    event.tries -= 1;
    event.dueAtMs = Date.now();
  }

  private async post(event: WebhookEvent): Promise<number | string> {
    const { appUrl, credentials, faults } = this.world.context;
    const call = `POST ${PATH} ${event.payload.type}`;
    const fault = faults.take('stripe.webhook', ['fail', 'slow', 'hangup'], call);
    if (fault?.kind === 'fail') return `not sent, as if answered ${fault.status}`;
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    const body = JSON.stringify(event.payload, null, 2);
    // Signed by the real clock: the demo's own may be ahead of the application's.
    const signedAt = Math.floor(Date.now() / 1000);
    try {
      const response = await fetch(`${appUrl}${PATH}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': webhookSignature(body, credentials.stripe.webhookSecret, signedAt),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      return fault?.kind === 'hangup' ? 'answer ignored' : response.status;
    } catch (error) {
      return error instanceof Error && error.name === 'TimeoutError' ? 'no answer in 10 s' : 'no connection';
    }
  }

  /** A reordered event leaves once a later one has been sent. */
  private releaseHeld(sent: WebhookEvent): void {
    for (const event of this.world.state.events) {
      if (event.state !== 'held' || event === sent) continue;
      event.state = 'waiting';
      event.dueAtMs = Date.now();
    }
  }

  private forgetOldest(): void {
    const { events } = this.world.state;
    const settled = events.filter((each) => ['sent', 'failed', 'dropped'].includes(each.state));
    if (settled.length <= KEPT_EVENTS + 100) return;
    const gone = new Set(settled.slice(0, settled.length - KEPT_EVENTS));
    this.world.state.events = events.filter((each) => !gone.has(each));
  }
}
