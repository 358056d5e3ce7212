import { getParent, type Node, type Parent, UNKNOWN_PARENT } from '@/lib/integrations/notion/notion-parent';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { SECOND_MS } from '@/lib/time';
import { withNotion } from '../connections/notion-access';
import { isWatched, type Position, type RuleSource } from '../matching/sources';
import { climb, startPosition } from './climb';
import { keepParent, readParents } from './kept-parents';

// So that one page of a new and deep tree holds its turn for a few seconds only.
const MOST_CALLS = 30;

interface Workspace {
  id: string;
  sealedTokens: Uint8Array;
}

/** A page and what it stands in, if that is known. */
export interface Standing {
  pageId: string;
  databaseId: string | null;
  parent: Parent | null;
}

/**
 * Where a page stands, as far up as these sources need to know. Asks Notion, a call for each step, only for what is
 * not kept; after 30 of them the next attempt goes on from there. Something that Notion does not show ends the way: what
 * is above it is not known. Throws NotionError when Notion does not answer, refuses the connection, or was asked enough.
 */
export async function findPosition(
  workspace: Workspace,
  { parent, ...page }: Standing,
  sources: RuleSource[],
): Promise<Position> {
  let position = startPosition(page, parent);
  let kept = new Map<string, Parent>();
  let calls = 0;
  while (position.end === 'open' && sources.some((source) => isWatched(source, position) === null)) {
    const highest = position.above.at(-1) ?? { kind: 'page' as const, id: page.pageId };
    if (!kept.has(highest.id)) kept = await readParents(workspace.id, highest.id);
    const known = kept.get(highest.id);
    if (!known && calls === MOST_CALLS) throw toBeContinued();
    if (!known) calls += 1;
    position = climb(position, known ?? (await learnParent(workspace, highest)));
  }
  return position;
}

const toBeContinued = () =>
  new NotionError(0, 'deep_tree', 'There is more above this page', { retryAfterMs: SECOND_MS });

async function learnParent(workspace: Workspace, node: Node): Promise<Parent> {
  const parent = await withNotion(workspace, (token) => getParent(token, node)).catch(goneAsUnknown);
  await keepParent(workspace.id, node, parent);
  return parent;
}

function goneAsUnknown(error: unknown): Parent {
  if (error instanceof NotionError && error.isGone) return UNKNOWN_PARENT;
  throw error;
}
