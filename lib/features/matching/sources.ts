import type { Node } from '@/lib/integrations/notion/notion-parent';

/** A rule's source as it is stored. A CHECK lets each kind have only its own columns. */
export interface RuleSource {
  sourceKind: 'database' | 'page' | 'workspace';
  databaseId: string | null;
  pageId: string | null;
  /** Which pages below its page the rule watches too. */
  subpages: 'none' | 'children' | 'all' | null;
}

/** The id of a source's database or page; empty for a source that is everything. */
export const idOfSource = ({ databaseId, pageId }: Pick<RuleSource, 'databaseId' | 'pageId'>): string =>
  databaseId ?? pageId ?? '';

/** The position of a page in the tree, as far as it is known. */
export interface Position {
  pageId: string;
  databaseId: string | null;
  /** The pages, blocks and data sources that it is in, nearest first. */
  above: Node[];
  /** What is above that: nothing (top), something that Notion does not show (hidden), or not asked for yet (open). */
  end: 'top' | 'hidden' | 'open';
}

/**
 * Whether a source has a page; null when the position does not say. A page in a block is a child of the block's page.
 * Rows of a database are not children of the page that the database is on, but they are below it.
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
