import { isSameValue } from '@/lib/integrations/notion/bounded-value';
import type { Page } from '@/lib/integrations/notion/notion-page';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import { type FilteringRule, type FilterReason, findRefusal } from '../matching/filters';
import { type Authored, passesAuthors } from './authors';
import type { Snapshot } from './snapshot';

/** An event that Notion reported about a page: the part that a decision needs. */
export interface PageEvent extends Authored {
  id: string;
  type: string;
  updatedProperties: string[];
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
  | 'own_change'
  | 'page_trashed'
  | 'page_gone'
  | 'page_too_large'
  | 'notion_refused'
  | 'notion_unreachable'
  | 'not_understood'
  | 'key_gone';

export type Decision =
  | { post: true; event: PageEvent; changes: PropertyChange[] }
  | { post: false; reason: SkipReason };

export const CREATED = 'page.created';
const CONTENT_UPDATED = 'page.content_updated';
// The title has this id in every Notion database.
const TITLE_ID = 'title';

/**
 * Decides what a rule makes of a page's new events.
 *
 * `snapshot` holds the page's values before them. If it is null, the page was never seen, and the decision relies on
 * Notion's list of updated properties.
 */
export function decide(
  rule: JudgedRule,
  page: Page,
  events: PageEvent[],
  snapshot: Snapshot | null,
): Decision {
  if (!rule.enabled) return skip('rule_off');
  const created = events.find((event) => event.type === CREATED);
  if (rule.eventType === 'page_created') {
    if (!created) return skip('not_created');
    if (rule.hasPosted) return skip('already_posted');
    if (!passesAuthors(rule, created)) return skip('filtered_by_author');
    const refusal = findRefusal(rule, seenAt(created, page, events, snapshot));
    return refusal ? skip(refusal) : { post: true, event: created, changes: [] };
  }
  const updates = events.filter((event) => event.type !== CREATED);
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

const seenAt = (event: PageEvent, page: Page, events: PageEvent[], before: Snapshot | null) => ({
  page,
  before,
  announced: events.flatMap(({ updatedProperties }) => updatedProperties),
  at: event.occurredAt,
});

/**
 * The newest event that is about one of these properties, of those whose authors the rule posts. When no event names any
 * of them, each may be about them all.
 */
function findAbout(rule: JudgedRule, updates: PageEvent[], propertyIds: string[]): PageEvent | undefined {
  const about = updates.filter((event) => mayTouch(event, propertyIds));
  if (about.length > 0) return about.findLast((event) => isPosted(rule, event, propertyIds));
  return updates.findLast((event) => propertyIds.some((id) => passesAuthors(rule, event, id)));
}

/** Whether a rule posts the authors of what an event may be about. */
function isPosted(rule: JudgedRule, event: PageEvent, propertyIds: string[]): boolean {
  return propertyIds.some((id) => mayTouch(event, [id]) && passesAuthors(rule, event, id));
}

/**
 * Why a rule posted no card for one of a page's new events, given its decision on all of them. Null for the event that
 * its card is about.
 */
export function explain(rule: JudgedRule, event: PageEvent, decision: Decision): SkipReason | null {
  if (decision.post && decision.event.id === event.id) return null;
  if (!rule.enabled) return 'rule_off';
  const isCreation = event.type === CREATED;
  if (rule.eventType === 'page_created') {
    if (!isCreation) return 'not_created';
    return decision.post ? 'already_posted' : decision.reason;
  }
  if (isCreation) return 'not_updated';
  if (!decision.post && decision.reason === 'not_updated') return 'not_updated';
  if (!mayTouch(event, rule.watchedProperties)) return 'property_not_watched';
  if (!isPosted(rule, event, rule.watchedProperties)) return 'filtered_by_author';
  if (decision.post) return 'merged';
  // The new values are another author's, and this event set none of them.
  return decision.reason === 'filtered_by_author' ? 'unchanged' : decision.reason;
}

/** Whether an event may be about one of these properties. Notion reports an edited title as edited content. */
export function mayTouch({ type, updatedProperties }: PageEvent, propertyIds: string[]): boolean {
  if (type === CONTENT_UPDATED) return propertyIds.includes(TITLE_ID);
  return updatedProperties.length === 0 || updatedProperties.some((id) => propertyIds.includes(id));
}

function listChanges(watched: string[], page: Page, events: PageEvent[], snapshot: Snapshot | null) {
  const announced = new Set(events.flatMap((event) => event.updatedProperties));
  return watched.flatMap((propertyId): PropertyChange[] => {
    const after = page.values.get(propertyId);
    if (!after) return [];
    const before = snapshot?.[propertyId] ?? null;
    const hasChanged = before ? !isSameValue(before, after) : announced.has(propertyId);
    return hasChanged ? [{ propertyId, name: after.name, before, after }] : [];
  });
}

const skip = (reason: SkipReason): Decision => ({ post: false, reason });
