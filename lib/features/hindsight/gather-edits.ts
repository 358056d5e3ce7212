import { editsSettleAt } from '../matching/settle';
import type { PastEvent } from './past';

/** What becomes of the edits of a page's content, by their ids. */
export interface GatheredEdits {
  /** Those that get a card: the newest of each group of edits that settle together. */
  told: Set<string>;
  /** Those whose page was moved to the trash before they settled. */
  trashed: Set<string>;
}

/** Gathers the edits of a page's content. `trashings` are the events that moved it to the trash. */
export function gatherEdits(edits: PastEvent[], trashings: PastEvent[]): GatheredEdits {
  const cards: PastEvent[][] = [];
  const trashed = new Set<string>();
  let open: PastEvent[] = [];
  for (const event of [...edits, ...trashings].toSorted(byArrival)) {
    const isTogether = open.length > 0 && event.receivedAt <= settlesAt(open);
    if (trashings.includes(event)) {
      if (isTogether) for (const { id } of open) trashed.add(id);
      open = [];
    } else if (isTogether) open.push(event);
    else {
      open = [event];
      cards.push(open);
    }
  }
  const newestIds = cards.flatMap((card) => newest(card)?.id ?? []);
  return { told: new Set(newestIds.filter((id) => !trashed.has(id))), trashed };
}

const byArrival = (one: PastEvent, other: PastEvent) => one.receivedAt.getTime() - other.receivedAt.getTime();

function settlesAt(events: PastEvent[]): Date {
  const arrived = events.map(({ receivedAt }) => receivedAt.getTime());
  const edited = events.map(({ occurredAt }) => occurredAt.getTime());
  return editsSettleAt({
    firstEventAt: new Date(Math.min(...arrived)),
    lastEventAt: new Date(Math.max(...arrived)),
    lastEditedAt: new Date(Math.max(...edited)),
  });
}

const newest = (events: PastEvent[]) =>
  events.toSorted((one, other) => one.occurredAt.getTime() - other.occurredAt.getTime()).at(-1);
