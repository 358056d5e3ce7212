import { open, seal } from '@/lib/crypto';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { isUncomputed, type PropertyValue } from '@/lib/integrations/notion/property-value';
import { filteredBy } from './filters';
import { keepsCards } from './kept-cards';
import { oldValue } from './old-value';
import type { EventType, RuleTerms } from './schema';
import { fitName, fitValue } from './shown-value';
import { TITLE_ID } from './words';

interface StoredValue extends PropertyValue {
  /** Whether Notion could not compute it when the page was last read, so that it is what Notion computed before. */
  isStale?: boolean;
}

/** Values of a page's tracked properties, by property id: the text that a card shows, and a key for comparing. */
export type Snapshot = Record<string, StoredValue>;

/** The database id of a page that is in no database. */
export const OUTSIDE = '';

export const purposeOf = (workspaceId: string, pageId: string) => `snapshot:${workspaceId}:${pageId}`;

/** A rule with the status property of its database, if that is known. */
export type TrackingRule = RuleTerms & { database?: { statusPropertyId: string | null } };

/**
 * The properties whose values must be stored for these rules of one database: those that they watch, display or use
 * in a condition, those that their living cards show, and the title for rules about the trash.
 */
export function trackedProperties(rules: TrackingRule[]): string[] {
  return unique(
    rules.flatMap((rule) => [...(STORED[rule.eventType]?.(rule) ?? []), ...livingProperties(rule)]),
  );
}

/**
 * The properties that a living card or its post shows, so that a change of any requires an edit. None for other
 * rules.
 */
export function livingProperties(rule: TrackingRule): string[] {
  if (!keepsCards(rule)) return [];
  const { watchedProperties, displayedFields, destination } = rule;
  const status = rule.database?.statusPropertyId ?? null;
  const tag = destination.kind === 'forum' ? destination.tagPropertyId : undefined;
  return unique([
    TITLE_ID,
    ...(status === null ? [] : [status]),
    ...(tag === undefined ? [] : [tag]),
    ...watchedProperties,
    ...displayedFields,
  ]);
}

/** What a rule needs to compare pages, or to report pages that can no longer be read. */
const STORED: Partial<Record<EventType, (rule: TrackingRule) => string[]>> = {
  page_updated: (rule) => [...rule.watchedProperties, ...rule.displayedFields, ...filtering(rule)],
  page_deleted: (rule) => [TITLE_ID, ...rule.displayedFields, ...filtering(rule), ...addressing(rule)],
};

/**
 * The properties whose whole values these rules of one database need: those stored or filtered by, and those that name
 * the recipients.
 */
export function comparedProperties(rules: TrackingRule[]): string[] {
  return unique([
    ...trackedProperties(rules),
    ...rules.flatMap((rule) => [...filtering(rule), ...addressing(rule)]),
  ]);
}

const filtering = ({ database = { statusPropertyId: null }, ...terms }: TrackingRule) =>
  filteredBy({ ...terms, database });
const addressing = ({ destination }: RuleTerms) =>
  destination.kind === 'people' ? [destination.propertyId] : [];
const unique = (ids: string[]) => [...new Set(ids)];

/**
 * The tracked values of a page as it is now. Of a value that Notion cannot compute, the one that it computed last stays
 * from `before`, the page's stored values.
 */
export function toSnapshot(page: Page, propertyIds: string[], before: Snapshot | null = null): Snapshot {
  return Object.fromEntries(
    propertyIds.flatMap((id) => {
      const value = page.values.get(id);
      // An incomplete list cannot be compared.
      if (!value || value.isCut) return [];
      const stored = isUncomputed(value) ? lastComputed(id, value, before) : remembered(value);
      return stored ? [[id, stored] as const] : [];
    }),
  );
}

function lastComputed(id: string, now: PropertyValue, before: Snapshot | null): StoredValue | null {
  const kept = oldValue(before, id, now);
  return kept && { ...kept, isStale: true };
}

// The key also reveals changes beyond the part that is shown.
function remembered(value: PropertyValue & { name: string }): PropertyValue {
  const { ids: _, longText: __, groupIds: ___, ...kept } = value;
  const named = value.userNames && { userNames: value.userNames.map(fitName) };
  const shown = { ...kept, name: fitName(value.name), text: fitValue(value.text), ...named };
  return shown;
}

export function openSnapshot(sealed: Uint8Array, workspaceId: string, pageId: string): Snapshot {
  return JSON.parse(open(sealed, purposeOf(workspaceId, pageId))) as Snapshot;
}

export function sealSnapshot(snapshot: Snapshot, workspaceId: string, pageId: string): Uint8Array {
  return seal(JSON.stringify(snapshot), purposeOf(workspaceId, pageId));
}
