import { MINUTE_MS, toMinute } from '@/lib/time';
import { settlesAt } from '../matching/settle';
import { COMPUTED } from '../matching/unnamed-changes';
import { isEditedSince, type Known, type Past, type PastEvent, touchOf } from './past';

// A page settles within two minutes, and is read soon after.
const MAX_MS = 5 * MINUTE_MS;

interface Creation {
  creation: PastEvent;
  property: { id: string; type: string };
  now: Date;
}

/** What is known of a property at the time when a new page had settled, which is when its conditions are judged. */
export function settledValue(past: Past, { creation, property, now }: Creation, atFirst: Known): Known {
  const events = past.turns.flatMap((turn) => turn.events);
  const settled = settledBy(events, creation);
  const { id, type } = property;
  const value = past.page?.values.get(id);
  const isLost =
    !value ||
    value.isCut ||
    COMPUTED.includes(type) ||
    settled > now ||
    isEditedSince(past) ||
    events.some((event) => event.occurredAt > settled && touchOf(event, id) !== null);
  return { ...atFirst, after: isLost ? null : value };
}

/** When a new page had settled, judging by its events: the earliest time at which it may have been judged. */
function settledBy(events: PastEvent[], creation: PastEvent): Date {
  const createdAt = creation.receivedAt;
  const arrived = events
    .filter(({ receivedAt }) => receivedAt >= createdAt)
    .toSorted((one, other) => one.receivedAt.getTime() - other.receivedAt.getTime());
  let editedAt = creation.occurredAt.getTime();
  let settled: Date | null = null;
  for (const { receivedAt, occurredAt } of arrived) {
    if (settled && receivedAt > settled) break;
    editedAt = Math.max(editedAt, occurredAt.getTime());
    const lastEditedAt = toMinute(editedAt);
    // Without a title it settles later, never earlier.
    settled = settlesAt({ createdAt, lastEventAt: receivedAt, title: 'Any', lastEditedAt });
  }
  return settled && settled > createdAt ? settled : createdAt;
}

/** Whether a new page may have been in the trash when it was to be posted. */
export function mayBeTrashedFirst({ turns, page }: Past, creation: PastEvent): boolean {
  if (!page) return true;
  const events = turns.flatMap((turn) => turn.events);
  const latest = creation.receivedAt.getTime() + MAX_MS;
  return events.some(({ type, occurredAt }) => type === 'page.deleted' && occurredAt.getTime() <= latest);
}
