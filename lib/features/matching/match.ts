import { isSameValue } from '@/lib/integrations/notion/bounded-value';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { isUncomputed, type PropertyValue } from '@/lib/integrations/notion/property-value';
import { type Authored, passesAuthors } from './authors';
import { type FilteringRule, type FilterReason, findRefusal } from './filters';
import { shownChange } from './moved-place';
import { oldValue } from './old-value';
import type { EventType } from './schema';
import type { Snapshot } from './snapshot';
import { isClockEvent, TITLE_ID } from './words';

/** The parts of an event about a page that a decision needs. */
export interface PageEvent extends Authored {
  id: string;
  type: string;
  updatedProperties: string[];
  /** The comment that the event is about. */
  commentId?: string | null;
  occurredAt: Date;
  /** The Discord user whose command or button made our bot change the page. */
  causedBy?: string;
}

export interface PropertyChange {
  propertyId: string;
  name: string;
  /** Null when the old value is unknown. */
  before: PropertyValue | null;
  after: PropertyValue;
}

export interface JudgedRule extends FilteringRule {
  enabled: boolean;
  /** Whether it has posted this page before: a new page is posted only once. */
  hasPosted?: boolean;
}

/** Why a rule posts no card for an event. */
export type SkipReason =
  | 'rule_off'
  | 'not_created'
  | 'not_updated'
  | 'already_posted'
  | 'merged'
  | 'property_not_watched'
  | 'unchanged'
  | FilterReason
  | 'filtered_by_author'
  | 'source_unknown'
  | 'own_change'
  | 'not_asked_for'
  | 'inbox_closed'
  | 'by_themselves'
  | 'nobody_linked'
  | 'other_event'
  | 'undone'
  | 'comment_gone'
  | 'suggested_edit'
  | 'comments_refused'
  | 'no_channel'
  | 'page_moved'
  | 'page_trashed'
  | 'page_gone'
  | 'page_unknown'
  | 'page_too_large'
  | 'notion_refused'
  | 'notion_unreachable'
  | 'not_understood'
  | 'key_gone';

export type Decision =
  | { post: true; event: PageEvent; changes: PropertyChange[] }
  | { post: false; reason: SkipReason };

export const CREATED = 'page.created';
export const PROPERTIES_UPDATED = 'page.properties_updated';
export const COMMENTED = 'comment.created';
export const CONTENT_UPDATED = 'page.content_updated';
const TRASHED = 'page.deleted';
export const RESTORED = 'page.undeleted';

/** Notion's types for events that a rule posts because they happened, whatever they changed. */
const TOLD_AS = {
  content_updated: CONTENT_UPDATED,
  comment_created: COMMENTED,
  page_deleted: TRASHED,
  page_restored: RESTORED,
} as const satisfies Partial<Record<EventType, string>>;

/** Notion's type for the events of such a rule; null for a rule about new or changed pages, or a clock rule. */
function toldAs({ eventType }: { eventType: EventType }): string | null {
  return eventType in TOLD_AS ? TOLD_AS[eventType as keyof typeof TOLD_AS] : null;
}

/** Notion's type for a rule's event type. */
export const notionTypeOf = (eventType: EventType): string =>
  toldAs({ eventType }) ?? (eventType === 'page_created' ? CREATED : PROPERTIES_UPDATED);

/** The event type that a rule's log shows for one of Notion's types. For a rule about changes, content is a change. */
export function eventTypeOf(type: string, rule: { eventType: EventType }): EventType {
  if (type === CREATED) return 'page_created';
  if (type === CONTENT_UPDATED && rule.eventType === 'page_updated') return 'page_updated';
  const told = Object.entries(TOLD_AS).find(([, name]) => name === type);
  return (told?.[0] as EventType | undefined) ?? 'page_updated';
}

/**
 * The event type of a log's entry; null when unknown. What a clock rule tells has no event from Notion; an entry that has
 * one is from before the rule became a clock rule.
 */
export function typeOfEntry(type: string | null, rule: { eventType: EventType }): EventType | null {
  if (type !== null) return eventTypeOf(type, rule);
  return isClockEvent(rule.eventType) ? rule.eventType : null;
}

/** Whether a rule posts events of this type because they happened, whatever they changed. */
export const isAbout = (rule: { eventType: EventType }, event: { type: string }) =>
  toldAs(rule) === event.type;

/** Groups events for which a rule makes one decision: for most rules, all events of the turn. */
export function decidedTogether<E>({ eventType }: { eventType: EventType }, events: E[]): E[][] {
  const isEachAlone = eventType === 'comment_created' || eventType === 'content_updated';
  return isEachAlone ? events.map((event) => [event]) : [events];
}

/**
 * Decides what a rule makes of a page's new events. `snapshot` has the page's values before them. If it is null, the
 * page was never seen, and the decision relies on Notion's list of updated properties.
 */
export function decide(
  rule: JudgedRule,
  page: Page,
  events: PageEvent[],
  snapshot: Snapshot | null,
): Decision {
  if (!rule.enabled) return skip('rule_off');
  if (isClockEvent(rule.eventType)) return skip('other_event');
  const created = events.find((event) => event.type === CREATED);
  if (rule.eventType === 'page_created') {
    if (!created) return skip('not_created');
    if (rule.hasPosted) return skip('already_posted');
    if (!passesAuthors(rule, created)) return skip('filtered_by_author');
    const refusal = findRefusal(rule, seenAt(created, page, events, snapshot));
    return refusal ? skip(refusal) : { post: true, event: created, changes: [] };
  }
  if (toldAs(rule)) return decideTold(rule, page, events, snapshot);
  const updates = events.filter(isUpdate);
  const updated = updates.at(-1);
  // Filling in a page while it is being created does not count as a change.
  if (!updated || (created && !snapshot)) return skip('not_updated');
  const all = listChanges(rule.watchedProperties, page, events, snapshot);
  if (all.length === 0) return skip('unchanged');
  const changes = all.filter(({ propertyId }) => findAbout(rule, updates, [propertyId]) !== undefined);
  if (changes.length === 0) return skip('filtered_by_author');
  const refusal = findRefusal(rule, seenAt(updated, page, events, snapshot));
  if (refusal) return skip(refusal);
  const changed = changes.map(({ propertyId }) => propertyId);
  return { post: true, event: findAbout(rule, updates, changed) ?? updated, changes };
}

/** What a rule makes of events that it posts because they happened, whatever they changed. */
function decideTold(rule: JudgedRule, page: Page, events: PageEvent[], snapshot: Snapshot | null): Decision {
  const told = events.filter((event) => isAbout(rule, event));
  if (told.length === 0) return skip('other_event');
  if (isUndone(rule, page, events)) return skip('undone');
  const event = told.findLast((each) => passesAuthors(rule, each));
  if (!event) return skip('filtered_by_author');
  const refusal = findRefusal(rule, seenAt(event, page, events, snapshot));
  return refusal ? skip(refusal) : { post: true, event, changes: [] };
}

/** Whether a page that was moved to the trash or restored is back where it was before these events. */
function isUndone({ eventType }: JudgedRule, page: Page, events: PageEvent[]): boolean {
  if (eventType !== 'page_deleted' && eventType !== 'page_restored') return false;
  const [first] = events.filter(({ type }) => type === TRASHED || type === RESTORED);
  return page.isTrashed !== (eventType === 'page_deleted') || first?.type !== TOLD_AS[eventType];
}

const isUpdate = ({ type }: PageEvent) => type !== CREATED && type !== COMMENTED;

const seenAt = (event: PageEvent, page: Page, events: PageEvent[], before: Snapshot | null) => ({
  page,
  before,
  announced: events.flatMap(({ updatedProperties }) => updatedProperties),
  at: event.occurredAt,
});

/**
 * The newest event about one of these properties whose authors the rule posts. If no event names any of the properties,
 * each event may be about all of them.
 */
function findAbout(rule: JudgedRule, updates: PageEvent[], propertyIds: string[]): PageEvent | undefined {
  const about = updates.filter((event) => mayTouch(event, propertyIds));
  if (about.length > 0) return about.findLast((event) => isPosted(rule, event, propertyIds));
  return updates.findLast((event) => propertyIds.some((id) => passesAuthors(rule, event, id)));
}

/** Whether a rule posts the event's authors, for at least one of the properties that it may be about. */
function isPosted(rule: JudgedRule, event: PageEvent, propertyIds: string[]): boolean {
  return propertyIds.some((id) => mayTouch(event, [id]) && passesAuthors(rule, event, id));
}

/**
 * Why a rule posted no card for one of a page's new events, given its decision about all of them. Null for the event
 * that its card is about.
 */
export function explain(rule: JudgedRule, event: PageEvent, decision: Decision): SkipReason | null {
  if (decision.post && decision.event.id === event.id) return null;
  if (!rule.enabled) return 'rule_off';
  const isCreation = event.type === CREATED;
  if (rule.eventType === 'page_created') {
    if (!isCreation) return 'not_created';
    return decision.post ? 'already_posted' : decision.reason;
  }
  if (isClockEvent(rule.eventType)) return 'other_event';
  if (toldAs(rule)) {
    if (!isAbout(rule, event)) return 'other_event';
    if (decision.post) return passesAuthors(rule, event) ? 'merged' : 'filtered_by_author';
    return decision.reason;
  }
  if (isCreation) return 'not_updated';
  if (!isUpdate(event)) return 'other_event';
  if (!decision.post && decision.reason === 'not_updated') return 'not_updated';
  if (!mayTouch(event, rule.watchedProperties)) return 'property_not_watched';
  if (!isPosted(rule, event, rule.watchedProperties)) return 'filtered_by_author';
  if (decision.post) return 'merged';
  // Another author set the new values, so this event changed nothing.
  return decision.reason === 'filtered_by_author' ? 'unchanged' : decision.reason;
}

/** Whether an event may be about one of these properties. Notion reports an edited title as edited content. */
export function mayTouch({ type, updatedProperties }: PageEvent, propertyIds: string[]): boolean {
  if (type === COMMENTED) return false;
  if (type === CONTENT_UPDATED) return propertyIds.includes(TITLE_ID);
  return updatedProperties.length === 0 || updatedProperties.some((id) => propertyIds.includes(id));
}

function listChanges(watched: string[], page: Page, events: PageEvent[], snapshot: Snapshot | null) {
  const announced = new Set(events.flatMap((event) => event.updatedProperties));
  return watched.flatMap((propertyId): PropertyChange[] => {
    const after = page.values.get(propertyId);
    if (!after || isUncomputed(after)) return [];
    const before = oldValue(snapshot, propertyId, after);
    const hasChanged = before ? !isSameValue(before, after) : announced.has(propertyId);
    return hasChanged ? [shownChange({ propertyId, name: after.name, before, after })] : [];
  });
}

const skip = (reason: SkipReason): Decision => ({ post: false, reason });
