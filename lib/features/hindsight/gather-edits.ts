import { editsSettleAt } from '../matching/settle';
import type { PastEvent } from './past';

/**
 * The ids of those edits of a page's content that get a card: of edits that follow each other within the time in which
 * they are gathered, the newest.
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
