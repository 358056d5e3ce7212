import { isSameValue } from '@/lib/integrations/notion/bounded-value';
import type { Page } from '@/lib/integrations/notion/notion-page';
import type { ParentKind } from '@/lib/integrations/notion/notion-parent';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import { MINUTE_MS } from '@/lib/time';
import { CONTENT_UPDATED, CREATED, mayTouch, type PageEvent, PROPERTIES_UPDATED } from '../matching/match';
import { COMPUTED } from '../matching/unnamed-changes';
import { RECONCILED } from '../reconciliation/missed-pages';

// Events after which a page's properties, including the title, may differ.
const CHANGING = [PROPERTIES_UPDATED, CONTENT_UPDATED];

/** An event as it is stored. */
export interface PastEvent extends PageEvent {
  pageId: string;
  databaseId: string | null;
  /** The kind of the page's parent; null when Notion did not say. */
  parentKind: Exclude<ParentKind, 'unknown'> | null;
  parentId: string | null;
  receivedAt: Date;
  /** When its turn was done; null before that. */
  processedAt: Date | null;
  outcome: string | null;
}

/** The events of a page that were looked at together. */
export interface PastTurn {
  events: PastEvent[];
  /** The time by which the page had been read, in milliseconds. */
  endedAt: number;
}

/** What a log kept of an event: the values of the changed properties, by property id. */
export type Kept = Map<string, { before: PropertyValue | null; after: PropertyValue | null }>;

/** Everything that is still known about a page's past. */
export interface Past {
  turns: PastTurn[];
  /** The page as it is now; null when it was not found. */
  page: Page | null;
  /** By event id. */
  kept: Map<string, Kept>;
}

/** What is known of a property at the time when a turn read its page. A null value is one that was not kept. */
export interface Known {
  /** Whether it had changed since the turn before. */
  change: 'none' | 'sure' | 'maybe';
  before: PropertyValue | null;
  after: PropertyValue | null;
  /** Whether a later event may have changed it again. */
  isTouchedLater: boolean;
}

/** The turns of a page, from the first to the last, each with its events in the order in which they happened. */
export function toTurns(events: PastEvent[]): PastTurn[] {
  const byEnd = new Map<number, PastEvent[]>();
  for (const event of events.toSorted(inOrder)) {
    const endedAt = event.processedAt?.getTime() ?? Number.POSITIVE_INFINITY;
    byEnd.set(endedAt, [...(byEnd.get(endedAt) ?? []), event]);
  }
  const turns = [...byEnd].map(([endedAt, together]) => ({ endedAt, events: together }));
  return turns.toSorted((one, other) => (one.endedAt < other.endedAt ? -1 : 1));
}

const inOrder = (one: PastEvent, other: PastEvent) =>
  one.occurredAt.getTime() - other.occurredAt.getTime() ||
  one.receivedAt.getTime() - other.receivedAt.getTime() ||
  (one.id < other.id ? -1 : 1);

/** Outcomes of events whose page could not be read, so that no rule could judge it. */
const UNREAD = [
  'page_trashed',
  'page_gone',
  'page_too_large',
  'notion_refused',
  'notion_unreachable',
  'not_understood',
  'key_gone',
] as const;

export const unreadReason = ({ events }: PastTurn) =>
  UNREAD.find((reason) => events.some(({ outcome }) => outcome === reason)) ?? null;

// Notion gathers the edits of about a minute into one event, and rounds the time of the last edit to the minute.
const GATHERED_MS = MINUTE_MS;

/** Whether a page was edited since its last event, so that any of its values may have changed. */
export function isEditedSince({ page, turns }: Past): boolean {
  const last = Math.max(
    ...turns.flatMap(({ events }) => events.map(({ occurredAt }) => occurredAt.getTime())),
  );
  return page !== null && page.lastEditedAt.getTime() > last + GATHERED_MS;
}

/** How an event concerns a property: it names the property, or may be about it (vague); null if it is not about it. */
export function touchOf(event: PastEvent, propertyId: string): 'named' | 'vague' | null {
  if (event.type === CREATED) return null;
  if (event.updatedProperties.includes(propertyId)) return 'named';
  // An event that a pass made names only properties that rules watched.
  if (event.id.startsWith(RECONCILED)) return 'vague';
  return CHANGING.includes(event.type) && mayTouch(event, [propertyId]) ? 'vague' : null;
}

/** What is known of a property at each turn of its page. */
export function followProperty(past: Past, { id, type }: { id: string; type: string }): Known[] {
  const { turns, page, kept } = past;
  if (COMPUTED.includes(type)) {
    return turns.map(() => ({ change: 'maybe', before: null, after: null, isTouchedLater: true }));
  }
  const now = page?.values.get(id);
  const lasting = now && !now.isCut && !isEditedSince(past) ? now : null;
  const later = touchedLater(turns, id);
  let carried: PropertyValue | null = null;
  let [isUnread, hasEnded] = [false, Number.NEGATIVE_INFINITY];
  return turns.map((turn, nth) => {
    const { isTouched: isTouchedLater, since } = later[nth] as Later;
    const touches = turn.events.flatMap((event) => touchOf(event, id) ?? []);
    const first = firstTouch(turn, id);
    // The previous turn may have read this change already, and this turn may have read the next one.
    const isBlurred = first <= hasEnded || (Number.isFinite(since) && since <= turn.endedAt);
    const told = keptOf(turn, kept, id);
    const after: PropertyValue | null =
      told?.after ?? (isTouchedLater ? null : lasting) ?? (touches.length > 0 || isBlurred ? null : carried);
    const before = told?.before ?? (touches.length > 0 ? carried : null);
    const isOnce = touches.length === 1 && touches[0] === 'named' && !isBlurred && !isUnread;
    const known: Known =
      touches.length === 0 && !isBlurred && !told
        ? { change: 'none', before: after, after, isTouchedLater }
        : { change: changeOf(before, after, isOnce), before, after, isTouchedLater };
    hasEnded = turn.endedAt;
    if (touches.length > 0) isUnread = unreadReason(turn) !== null;
    carried = isBlurred && !told ? null : after;
    return known;
  });
}

function changeOf(before: PropertyValue | null, after: PropertyValue | null, isOnce: boolean) {
  if (before && after) return isSameValue(before, after) ? 'none' : 'sure';
  return isOnce ? 'sure' : 'maybe';
}

interface Later {
  isTouched: boolean;
  /** When the first later event about it happened. */
  since: number;
}

function touchedLater(turns: PastTurn[], id: string): Later[] {
  const later: Later[] = [];
  let [isTouched, since] = [false, Number.POSITIVE_INFINITY];
  for (const turn of turns.toReversed()) {
    later.unshift({ isTouched, since });
    isTouched ||= turn.events.some((event) => touchOf(event, id) !== null);
    since = Math.min(since, firstTouch(turn, id));
  }
  return later;
}

function firstTouch({ events }: PastTurn, id: string): number {
  const touching = events.filter((event) => touchOf(event, id) !== null);
  return Math.min(...touching.map(({ occurredAt }) => occurredAt.getTime()));
}

function keptOf({ events }: PastTurn, kept: Past['kept'], id: string) {
  return events.flatMap((event) => kept.get(event.id)?.get(id) ?? [])[0];
}
