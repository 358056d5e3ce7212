import type { PageNews } from '../cards/page-line';
import type { EventType } from '../matching/schema';
import { type DigestDetails, isLasting, joinChanges, type Summary } from '../matching/summary';

type Change = Summary['changes'][number];

/** What happened to a page since the last digest: its newest state, and each property's first and last value. */
export interface Fold {
  eventType: EventType;
  status: string | null;
  pings: string[];
  /** What its rule watched then; null when unknown. */
  source: NonNullable<DigestDetails['source']> | null;
  news: PageNews;
  /** Whether all that happened were changes that have been undone since. */
  isUndone: boolean;
}

/** Collects what happened to a page, one decision after the other. */
export class PageFold {
  private changes: Change[] = [];
  private readonly pings = new Set<string>();
  private last: Summary | null = null;
  private moreChanges = 0;
  private comments = 0;
  private isNew = false;
  private isMoreThanChanges = false;

  /** `otherwise` is the event type of summaries that have none. */
  constructor(private readonly otherwise: EventType) {}

  add(summary: Summary): void {
    this.changes = joinChanges([...this.changes, ...summary.changes]);
    for (const id of summary.later?.pings ?? []) this.pings.add(id);
    this.moreChanges = Math.max(this.moreChanges, summary.moreChanges);
    const eventType = summary.later?.eventType ?? this.otherwise;
    if (eventType === 'comment_created') this.comments += 1;
    if (eventType === 'page_created') this.isNew = true;
    if (eventType !== 'page_updated' || summary.changes.length === 0) this.isMoreThanChanges = true;
    this.last = summary;
  }

  /** The result; null when nothing was added. */
  end(): Fold | null {
    if (!this.last) return null;
    const { title, url, later } = this.last;
    const eventType = later?.eventType ?? this.otherwise;
    const kept = this.changes.filter(isLasting);
    const earlierComments = Math.max(0, this.comments - 1);
    return {
      eventType,
      status: later?.status ?? null,
      pings: [...this.pings],
      source: later?.source ?? null,
      news: { title, url, changes: kept, moreChanges: this.moreChanges + earlierComments, isNew: this.isNew },
      isUndone: !this.isMoreThanChanges && kept.length === 0 && this.moreChanges === 0,
    };
  }
}
