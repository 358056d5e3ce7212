import type { PastEvent } from '@/lib/features/hindsight/past';
import type { TriedRule } from '@/lib/features/hindsight/past-views';
import { asItIs } from '@/lib/features/matching/conditions';
import { findRefusal, withoutFilters } from '@/lib/features/matching/filters';
import { CREATED, decide, explain, mayTouch, type PropertyChange } from '@/lib/features/matching/match';
import { settlesAt } from '@/lib/features/matching/settle';
import { type Snapshot, toSnapshot, trackedProperties } from '@/lib/features/matching/snapshot';
import { type Summary, toSummary } from '@/lib/features/matching/summary';
import type { Page } from '@/lib/integrations/notion/notion-page';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import { MINUTE_MS, toMinute } from '@/lib/time';
import { pageOf } from './page-of';
import type { Values } from './tried-rule';

/** Something that a person does to the page, some time after the previous step. */
export interface Step {
  afterMs: number;
  /** New values, by property id; null for the creation of the page. */
  changes: Record<string, PropertyValue & { name: string }> | null;
  /** How long Notion takes to report it. */
  delayMs: number;
  author: string;
}

/** One page of one rule in the pipeline, without its database and services. */
export class SimulatedPage {
  readonly events: PastEvent[] = [];
  /** Why each event was skipped; null if it got a card. */
  readonly log = new Map<string, string | null>();
  readonly summaries = new Map<string, Summary>();
  private snapshot: Snapshot | null = null;
  private settling: PastEvent | null = null;
  private pending: PastEvent[] = [];
  private editedAt = 0;

  constructor(
    private readonly rule: TriedRule,
    private readonly values: Values,
    isKnown: boolean,
  ) {
    if (isKnown) this.remember();
  }

  /** Runs everything that happens, in the order in which it happens. */
  run(steps: Step[], from: number): void {
    const moments: { at: number; happen: () => void }[] = [];
    let at = from;
    for (const [nth, step] of steps.entries()) {
      at += step.afterMs;
      const happensAt = at;
      moments.push({ at, happen: () => this.apply(step, happensAt) });
      const arrivesAt = happensAt + step.delayMs;
      moments.push({ at: arrivesAt, happen: () => this.arrive(step, nth, happensAt, arrivesAt) });
      moments.push({ at: arrivesAt + 5, happen: () => this.turn(arrivesAt + 5) });
    }
    // A new page settles within two minutes.
    for (let due = from; steps[0]?.changes === null && due < from + 4 * MINUTE_MS; due += 1000) {
      moments.push({ at: due, happen: () => this.settle(due) });
    }
    for (const { happen } of moments.toSorted((one, other) => one.at - other.at)) happen();
  }

  page(): Page {
    const lastEditedAt = toMinute(this.editedAt);
    return { ...pageOf(new Map(this.values)), title: 'A page', lastEditedAt };
  }

  private apply({ changes }: Step, at: number): void {
    this.editedAt = at;
    for (const [id, value] of Object.entries(changes ?? {})) this.values.set(id, value);
  }

  private arrive({ changes, author }: Step, nth: number, happensAt: number, arrivesAt: number): void {
    const event: PastEvent = {
      id: `e${nth}`,
      type: changes ? 'page.properties_updated' : CREATED,
      pageId: 'page',
      databaseId: 'database',
      parentKind: 'data_source',
      parentId: 'database',
      authors: [author],
      botAuthors: [],
      updatedProperties: Object.keys(changes ?? {}),
      occurredAt: new Date(happensAt),
      receivedAt: new Date(arrivesAt),
      processedAt: null,
      outcome: null,
    };
    this.events.push(event);
    this.pending.push(event);
  }

  private turn(at: number): void {
    const events = this.pending.splice(0).toSorted((one, other) => +one.occurredAt - +other.occurredAt);
    if (events.length === 0) return;
    const tracked = trackedProperties([this.rule]);
    const isRead =
      events.some(({ type }) => type === CREATED) || events.some((each) => mayTouch(each, tracked));
    const judged = this.rule.eventType === 'page_created' ? withoutFilters(this.rule) : this.rule;
    const decision = isRead
      ? decide(judged, this.page(), events, this.snapshot)
      : ({ post: false, reason: 'unchanged' } as const);
    for (const event of events) {
      event.processedAt = new Date(at);
      const reason = explain(this.rule, event, decision);
      this.log.set(event.id, reason);
      if (reason !== null) continue;
      if (event.type !== CREATED) this.keep(event, decision.post ? decision.changes : []);
      else if (this.rule.atOnce && decide(this.rule, this.page(), events, this.snapshot).post) continue;
      else this.settling = event;
    }
    if (isRead) this.remember();
    this.settle(at);
  }

  private settle(at: number): void {
    const { settling, events } = this;
    if (!settling) return;
    const lastEventAt = new Date(Math.max(...events.map(({ receivedAt }) => +receivedAt)));
    if (+settlesAt({ ...this.page(), createdAt: settling.receivedAt, lastEventAt }) > at) return;
    this.settling = null;
    this.log.set(settling.id, findRefusal(this.rule, asItIs(this.page(), settling.occurredAt)));
  }

  private keep({ id }: PastEvent, changes: PropertyChange[]): void {
    this.summaries.set(id, toSummary(this.page(), changes));
  }

  private remember(): void {
    this.snapshot = toSnapshot(this.page(), trackedProperties([this.rule]), this.snapshot);
  }
}
