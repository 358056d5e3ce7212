import { editsSettleAt } from '../matching/settle';
import type { PastEvent } from './past';

/**
 * The ids of the edits of a page's content that get a card: the newest of each group of edits that settle together.
 */
export function toldEdits(edits: PastEvent[]): Set<string> {
  const cards: PastEvent[][] = [];
  for (const edit of edits.toSorted((one, other) => one.receivedAt.getTime() - other.receivedAt.getTime())) {
    const card = cards.at(-1);
    if (card && edit.receivedAt <= settlesAt(card)) card.push(edit);
    else cards.push([edit]);
  }
  return new Set(cards.flatMap((card) => newest(card)?.id ?? []));
}

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
