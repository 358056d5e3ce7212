import { NotionError } from '@/lib/integrations/notion/notion-request';
import type { TimeLeft } from '@/lib/time';
import { isWatched, type Position, type RuleSource } from '../matching/sources';
import { findPosition } from '../tree/find-position';
import type { WorkspaceAccess } from '../workspaces/notion-tokens';
import type { PastEvent } from './past';
import { TooLate, withDeadline } from './with-deadline';

// Pages with the same parent share the way up, and each way may cost calls to Notion.
const MAX_WAYS = 12;

/** A page's parent according to its last event. */
type LastPosition = Pick<PastEvent, 'pageId' | 'databaseId' | 'parentKind' | 'parentId'>;

/**
 * Whether a source has each of these pages, by page id; null if that is unknown or was not found out in time. Uses the
 * pages' current positions: a page that was moved since is judged by its new one.
 */
export async function locatePages(
  workspace: WorkspaceAccess,
  source: RuleSource,
  events: Map<string, PastEvent[]>,
  left: TimeLeft,
): Promise<Map<string, boolean | null>> {
  const located = new Map<string, boolean | null>();
  const ways = new Map<string, Position | null>();
  for (const [pageId, ofPage] of events) {
    const named = ofPage.find(({ parentKind }) => parentKind !== null) ?? ofPage[0];
    const databaseId = ofPage.find((event) => event.databaseId !== null)?.databaseId ?? null;
    if (!named) continue;
    const last = { ...named, databaseId };
    const known = isWatched(source, nearby(last));
    if (known !== null || source.sourceKind !== 'page') {
      located.set(pageId, known);
      continue;
    }
    const key = last.parentId ?? pageId;
    if (!ways.has(key))
      ways.set(key, ways.size < MAX_WAYS ? await climb(workspace, source, last, left) : null);
    const way = ways.get(key);
    located.set(pageId, way ? isWatched(source, { ...way, pageId }) : null);
  }
  return located;
}

/** The page's position, as far as an event itself says. */
const nearby = ({ pageId, databaseId }: LastPosition): Position => ({
  pageId,
  databaseId,
  above: [],
  end: 'open',
});

async function climb(
  workspace: WorkspaceAccess,
  source: RuleSource,
  { pageId, databaseId, parentKind, parentId }: LastPosition,
  left: TimeLeft,
): Promise<Position | null> {
  const parent = parentKind && { kind: parentKind, id: parentId, databaseId: null };
  try {
    return await withDeadline(left, findPosition(workspace, { pageId, databaseId, parent }, [source]));
  } catch (error) {
    if (error instanceof TooLate || error instanceof NotionError) return null;
    throw error;
  }
}
