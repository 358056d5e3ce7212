import { getParent, type Node, type Parent, UNKNOWN_PARENT } from '@/lib/integrations/notion/notion-parent';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { readDatabaseClock } from '@/lib/queue/database-clock';
import { SECOND_MS } from '@/lib/time';
import { isWatched, type Position, type RuleSource } from '../matching/sources';
import { withNotion } from '../workspaces/notion-access';
import type { WorkspaceAccess } from '../workspaces/notion-tokens';
import { climb, startPosition } from './climb';
import { keepParent, readParents } from './kept-parents';

// Limits how long a page in a new and deep tree keeps its turn to a few seconds.
const MAX_CALLS = 30;

/** A page and its parent, if that is known. */
export interface PageWithParent {
  pageId: string;
  databaseId: string | null;
  parent: Parent | null;
}

/**
 * A page's position, as far up as these sources need. Asks Notion only for parents that are not kept, one call for each
 * step; after 30 calls it gives up, and the next attempt continues from there. What is above something that Notion does
 * not show stays unknown. Throws NotionError when Notion does not answer or refuses the connection, and after 30 calls.
 */
export async function findPosition(
  workspace: WorkspaceAccess,
  { parent, ...page }: PageWithParent,
  sources: RuleSource[],
): Promise<Position> {
  let position = startPosition(page, parent);
  let kept = new Map<string, Parent>();
  let calls = 0;
  while (position.end === 'open' && sources.some((source) => isWatched(source, position) === null)) {
    const highest = position.above.at(-1) ?? { kind: 'page' as const, id: page.pageId };
    if (!kept.has(highest.id)) kept = await readParents(workspace.id, highest.id);
    const known = kept.get(highest.id);
    if (!known && calls === MAX_CALLS) throw toBeContinued();
    if (!known) calls += 1;
    position = climb(position, known ?? (await learnParent(workspace, highest)));
  }
  return position;
}

const toBeContinued = () =>
  new NotionError(0, 'deep_tree', 'There is more above this page', { retryAfterMs: SECOND_MS });

async function learnParent(workspace: WorkspaceAccess, node: Node): Promise<Parent> {
  const askedAt = await readDatabaseClock();
  const parent = await withNotion(workspace, (token) => getParent(token, node)).catch(goneAsUnknown);
  await keepParent(workspace.id, node, parent, askedAt);
  return parent;
}

function goneAsUnknown(error: unknown): Parent {
  if (error instanceof NotionError && error.isGone) return UNKNOWN_PARENT;
  throw error;
}
