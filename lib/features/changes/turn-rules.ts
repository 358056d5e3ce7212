import type { Page } from '@/lib/integrations/notion/notion-page';
import { mayEcho } from '../echoes/plan-echo';
import { CREATED, isAbout, mayTouch, PROPERTIES_UPDATED } from '../matching/match';
import { livingProperties, type Snapshot, trackedProperties } from '../matching/snapshot';
import { COMPUTED } from '../matching/unnamed-changes';
import type { PageWithParent } from '../tree/find-position';
import { locateRules } from '../tree/locate-rules';
import { loadRules } from './load-turns';
import type { LoadedTurn, PendingEvent } from './loaded-turn';
import type { PipelineRule } from './pipeline-rules';

/** The turn's rules, located for the page's position according to its newest event. Throws NotionError. */
export async function locateTurn(turn: LoadedTurn): Promise<{ rules: PipelineRule[] } | { retryAt: Date }> {
  const { workspace, pageId, events, rules, blockedUntil } = turn;
  const isAsked = events.length > 0 && rules.some(({ sourceKind }) => sourceKind === 'page');
  if (!isAsked) return { rules };
  if (blockedUntil) return { retryAt: blockedUntil };
  const page = { pageId, databaseId: null, parent: null, ...parentFromEvents(events) };
  return { rules: await locateRules(workspace, page, rules) };
}

/** The page's position according to the newest event that has one. An event found by a pass has only the database. */
function parentFromEvents(events: PendingEvent[]): Omit<PageWithParent, 'pageId'> | null {
  const told = events.findLast((event) => event.parentKind !== null || event.databaseId !== null);
  if (!told) return null;
  const { databaseId, parentKind, parentId } = told;
  const [kind, id] =
    databaseId === null ? [parentKind ?? 'workspace', parentId] : (['data_source', databaseId] as const);
  return { databaseId, parent: { kind, id, databaseId: null } };
}

/** Whether reading the page could lead to a card, to values worth keeping, or to a reply to its original message. */
export function mayBeRelevant(turn: LoadedTurn): boolean {
  const { events, unsettled, rules: all, pageId } = turn;
  if (mayEcho(turn)) return true;
  const rules = all.filter(({ isUnlocated }) => !isUnlocated);
  // A page that a rule watches is always read, to follow its title.
  if (unsettled.length > 0 || rules.some((rule) => rule.pageId === pageId)) return true;
  const tracked = trackedProperties(rules);
  const isComputing = watchesComputed(rules, turn.snapshot);
  return events.some((event) => {
    if (event.databaseId === null && event.parentKind === null) return true;
    if (event.type === CREATED) return rules.length > 0;
    if (rules.some((rule) => rule.enabled && isAbout(rule, event))) return true;
    if (isComputing && event.type === PROPERTIES_UPDATED) return true;
    return tracked.length > 0 && mayTouch(event, tracked);
  });
}

/**
 * Whether a rule watches a computed value: events name only the properties behind it. Also while it is off, so that what
 * happens meanwhile is not news once it is on.
 */
function watchesComputed(rules: PipelineRule[], snapshot: Snapshot | null): boolean {
  if (!snapshot) return false;
  const watched = rules.flatMap((rule) => [...rule.watchedProperties, ...livingProperties(rule)]);
  return watched.some((id) => COMPUTED.includes(snapshot[id]?.type ?? ''));
}

/** The rules that concern a page as it was read. Throws NotionError. */
export async function rulesOf(
  { rules, events, workspaceId, workspace }: LoadedTurn,
  page: Page,
): Promise<PipelineRule[]> {
  const { id: pageId, databaseId, parent } = page;
  const isOfDatabase = ({ sourceKind }: PipelineRule) => sourceKind === 'database';
  // Without an event it is unknown for which database the rules were loaded.
  const isLoaded =
    events.every((event) => event.databaseId === databaseId) &&
    (events.length > 0 || rules.every(isOfDatabase));
  const here = isLoaded
    ? rules.filter((rule) => !isOfDatabase(rule) || rule.databaseId === databaseId)
    : await loadRules(workspaceId, pageId, databaseId);
  return locateRules(workspace, { pageId, databaseId, parent }, here);
}
