import { type Answer, WebhookOutbox } from '../../webhook-outbox';
import type { WebhookEvent } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { withPlainIds } from '../plain-ids';
import { closeWindows } from './change-window';
import { webhookSignature } from './webhook-signature';

/** Notion's webhooks: signed events from closed windows, each sent at most eight times. */
export class NotionOutbox extends WebhookOutbox<WebhookEvent, NotionWorld> {
  constructor(world: NotionWorld) {
    super(world, { target: 'notion.webhook', path: '/api/notion/webhook', mostAttempts: 8 });
  }

  protected override compose(event: WebhookEvent) {
    const payload = JSON.stringify({ ...event.payload, attempt_number: event.tries });
    const body = this.world.settings.plainIds ? withPlainIds(payload) : payload;
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'notion-api',
      'X-Notion-Signature': webhookSignature(body, this.world.context.credentials.notion.webhookToken),
    };
    return { body, headers };
  }

  protected override noteAnswer(event: WebhookEvent, answer: Answer, startedMs: number): void {
    const at = new Date(startedMs).toISOString();
    event.attempts.push({ at, number: event.tries, answer, durationMs: Date.now() - startedMs });
  }

  protected override retryBaseMs(): number {
    return this.world.settings.retryBaseMs;
  }

  protected override about(event: WebhookEvent): string {
    return event.payload.entity.id;
  }

  protected override addDue(nowMs: number): number[] {
    closeWindows(this.world, nowMs);
    return Object.values(this.world.state.windows).map((each) => each.closesAtMs);
  }
}
