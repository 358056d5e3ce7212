import type { SandboxContext } from './context';
import type { Fault } from './faults';

const PARALLEL = 8;
const TIMEOUT_MS = 10_000;
const KEPT_EVENTS = 500;
/** Beyond 2^31-1 ms, setTimeout fires at once. */
const MAX_SLEEP_MS = 60_000;

interface OutgoingEvent {
  payload: { type: string };
  state: 'waiting' | 'sending' | 'held' | 'sent' | 'failed' | 'dropped';
  dueAtMs: number;
  /** Attempts since the event was created or redelivered. */
  tries: number;
  /** Sends still due after the first success: a duplicate repeats the same id. */
  repeats: number;
  /** Faults are drawn once per event, before its first attempt. */
  faultDrawn: boolean;
}

interface World<Event> {
  context: SandboxContext;
  state: { events: Event[] };
  wake: () => void;
  save(): void;
}

interface Destination {
  target: Fault['target'];
  path: string;
  mostAttempts: number;
}

/** The response's status, or words that say why there is none. */
export type Answer = number | string;

/**
 * Sends events to the application and retries failures. The queue lives in the store, so that events survive a restart;
 * only the timer and the sends in progress are in memory.
 */
export abstract class WebhookOutbox<Event extends OutgoingEvent, W extends World<Event> = World<Event>> {
  private timer: NodeJS.Timeout | undefined;
  private sending = 0;

  constructor(
    protected readonly world: W,
    private readonly destination: Destination,
  ) {
    world.wake = () => this.pump();
    for (const event of world.state.events) if (event.state === 'sending') event.state = 'waiting';
    this.pump();
  }

  /** The body and headers of an attempt. */
  protected abstract compose(event: Event): { body: string; headers: Record<string, string> };

  protected abstract noteAnswer(event: Event, answer: Answer, startedMs: number): void;

  protected abstract retryBaseMs(): number;

  /** What faults can match besides the event's type. */
  protected about(_event: Event): string {
    return '';
  }

  /** Adds the events that have become due. Returns the times at which more may become due. */
  protected addDue(_nowMs: number): number[] {
    return [];
  }

  /** Sends an event again under its old id, whatever happened to it. */
  redeliver(event: Event): void {
    Object.assign(event, { state: 'waiting', dueAtMs: Date.now(), tries: 0, faultDrawn: true });
    this.world.save();
    this.pump();
  }

  /** Sends everything that is due, and sleeps until something else is. */
  private pump(): void {
    clearTimeout(this.timer);
    const nowMs = Date.now();
    const laterMs = this.addDue(nowMs);
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
    const waiting = this.world.state.events.filter((each) => each.state === 'waiting');
    if (this.sending < PARALLEL) laterMs.push(...waiting.map((each) => each.dueAtMs));
    if (laterMs.length > 0) this.sleepUntil(Math.min(...laterMs));
  }

  private sleepUntil(atMs: number): void {
    const delayMs = Math.max(0, atMs - Date.now());
    this.timer = setTimeout(() => this.pump(), Math.min(delayMs, MAX_SLEEP_MS));
    this.timer.unref();
  }

  /** Draws the event's fault, once. Returns true if the event is not to be sent now. */
  private isKeptBack(event: Event): boolean {
    if (event.faultDrawn) return false;
    event.faultDrawn = true;
    const fault = this.takeFault(event, ['drop', 'duplicate', 'delay', 'reorder']);
    if (fault?.kind === 'drop') event.state = 'dropped';
    if (fault?.kind === 'duplicate') event.repeats += 1;
    if (fault?.kind === 'delay') event.dueAtMs = Date.now() + fault.delayMs;
    if (fault?.kind === 'reorder') event.state = 'held';
    if (fault) this.world.save();
    return event.state !== 'waiting' || event.dueAtMs > Date.now();
  }

  private takeFault(event: Event, kinds: Fault['kind'][]): Fault | undefined {
    const { target, path } = this.destination;
    const call = `POST ${path} ${event.payload.type} ${this.about(event)}`.trimEnd();
    return this.world.context.faults.take(target, kinds, call);
  }

  private async send(event: Event): Promise<void> {
    event.tries += 1;
    const startedMs = Date.now();
    const answer = await this.post(event);
    this.noteAnswer(event, answer, startedMs);
    if (typeof answer === 'number' && answer >= 200 && answer < 300) this.markSent(event);
    else if (event.tries >= this.destination.mostAttempts) event.state = 'failed';
    else {
      event.state = 'waiting';
      event.dueAtMs = Date.now() + this.retryBaseMs() * 2 ** (event.tries - 1);
    }
    this.releaseHeld(event);
    this.forgetOldest();
    this.world.save();
  }

  private markSent(event: Event): void {
    event.state = event.repeats > 0 ? 'waiting' : 'sent';
    if (event.repeats === 0) return;
    event.repeats -= 1;
    event.tries -= 1;
    event.dueAtMs = Date.now();
  }

  private async post(event: Event): Promise<Answer> {
    const fault = this.takeFault(event, ['fail', 'slow', 'hangup']);
    if (fault?.kind === 'fail') return `not sent, as if answered ${fault.status}`;
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    try {
      const response = await fetch(`${this.world.context.appUrl}${this.destination.path}`, {
        method: 'POST',
        ...this.compose(event),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      return fault?.kind === 'hangup' ? 'answer ignored' : response.status;
    } catch (error) {
      return error instanceof Error && error.name === 'TimeoutError' ? 'no answer in 10 s' : 'no connection';
    }
  }

  /** A reordered event is sent after a later one. */
  private releaseHeld(sent: Event): void {
    for (const event of this.world.state.events) {
      if (event.state !== 'held' || event === sent) continue;
      event.state = 'waiting';
      event.dueAtMs = Date.now();
    }
  }

  private forgetOldest(): void {
    const { events } = this.world.state;
    const finished = events.filter((each) => ['sent', 'failed', 'dropped'].includes(each.state));
    if (finished.length <= KEPT_EVENTS + 100) return;
    const gone = new Set(finished.slice(0, finished.length - KEPT_EVENTS));
    this.world.state.events = events.filter((each) => !gone.has(each));
  }
}
