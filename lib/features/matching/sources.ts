import type { Node } from '@/lib/integrations/notion/notion-parent';

/** What a rule watches, as it is stored: a CHECK lets each kind have its own columns only. */
export interface RuleSource {
  sourceKind: 'database' | 'page' | 'workspace';
  databaseId: string | null;
  pageId: string | null;
  /** Which of the pages below its page it watches too. */
  subpages: 'none' | 'children' | 'all' | null;
}

/** Where a page stands, as far as is known. */
export interface Position {
  pageId: string;
  databaseId: string | null;
  /** What it is in, the nearest first. */
  above: Node[];
  /** What is above that: nothing, something that Notion does not show, or something that nobody has asked for yet. */
  end: 'top' | 'hidden' | 'open';
}

/**
 * Whether a source has a page; null when the position does not say. A page in a block is a child of the block's page. Rows of
 * a database are no children of the page that the database is on, but they are below it.
 */
export function isWatched(source: RuleSource, position: Position): boolean | null {
  const { sourceKind, subpages, pageId } = source;
  if (sourceKind === 'workspace') return true;
  if (sourceKind === 'database') return source.databaseId === position.databaseId;
  if (position.pageId === pageId) return true;
  if (subpages === 'none') return false;
  const isIt = ({ kind, id }: Node) => kind === 'page' && id === pageId;
  if (subpages === 'all' && position.above.some(isIt)) return true;
  const nearest = position.above.find(({ kind }) => kind !== 'block');
  if (subpages === 'children' && nearest) return isIt(nearest);
  return position.end === 'top' ? false : null;
}
