import type { Page } from '@/lib/integrations/notion/notion-page';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import type { Snapshot } from './snapshot';

/** What Notion told about a page, as far as a decision needs it. */
export interface PageEvent {
  id: string;
  type: string;
  authors: string[];
  updatedProperties: string[];
  occurredAt: Date;
  /** Discord user whose command or button made our bot do it. */
  causedBy?: string;
}

export interface PropertyChange {
  propertyId: string;
  name: string;
  /** Null when the value before was never seen. */
  before: PropertyValue | null;
  after: PropertyValue;
}

export interface RuleTerms {
  eventType: string;
  enabled: boolean;
  watchedProperties: string[];
  statusTo: string[];
}

/** Why no card is posted for an event under a rule. */
export type SkipReason =
  | 'rule_off'
  | 'not_created'
  | 'not_updated'
  | 'unchanged'
  | 'filtered_by_status'
  | 'own_change';

export type Decision =
  | { post: true; event: PageEvent; changes: PropertyChange[] }
  | { post: false; reason: SkipReason };

const CREATED = 'page.created';

/**
 * Decides what a rule makes of a page's new events.
 *
 * `snapshot` is what the page looked like before them, or null when it was never seen; then Notion's own list
 * of updated properties is believed. `statusPropertyId` is the property that the rule's status filter means.
 */
export function decide(
  rule: RuleTerms,
  page: Page,
  events: PageEvent[],
  snapshot: Snapshot | null,
  statusPropertyId: string | undefined,
): Decision {
  if (!rule.enabled) return skip('rule_off');
  const created = events.find((event) => event.type === CREATED);
  if (rule.eventType === 'page_created') {
    return created ? { post: true, event: created, changes: [] } : skip('not_created');
  }
  const updated = events.findLast((event) => event.type !== CREATED);
  // What a page is filled with while it is being created is not a change of it.
  if (!updated || (created && !snapshot)) return skip('not_updated');
  const changes = listChanges(rule.watchedProperties, page, events, snapshot);
  if (changes.length === 0) return skip('unchanged');
  if (!passesStatusFilter(rule, page, statusPropertyId)) return skip('filtered_by_status');
  return { post: true, event: updated, changes };
}

function listChanges(watched: string[], page: Page, events: PageEvent[], snapshot: Snapshot | null) {
  const announced = new Set(events.flatMap((event) => event.updatedProperties));
  return watched.flatMap((propertyId): PropertyChange[] => {
    const after = page.values.get(propertyId);
    if (!after) return [];
    const before = snapshot?.[propertyId] ?? null;
    const hasChanged = before ? before.key !== after.key : announced.has(propertyId);
    return hasChanged ? [{ propertyId, name: after.name, before, after }] : [];
  });
}

function passesStatusFilter(rule: RuleTerms, page: Page, statusPropertyId: string | undefined): boolean {
  if (rule.statusTo.length === 0) return true;
  const status = statusPropertyId === undefined ? undefined : page.values.get(statusPropertyId);
  return status?.optionId !== undefined && rule.statusTo.includes(status.optionId);
}

const skip = (reason: SkipReason): Decision => ({ post: false, reason });
