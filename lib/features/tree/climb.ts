import type { Node, Parent } from '@/lib/integrations/notion/notion-parent';
import type { Position } from '../matching/sources';

/** No real page is nested deeper; a longer chain of parents is not followed. */
export const DEEPEST = 100;

/** The position of a page with this parent, before anything above the parent is known. */
export function startPosition(
  page: Pick<Position, 'pageId' | 'databaseId'>,
  parent: Parent | null,
): Position {
  return climb({ ...page, above: [], end: 'open' }, parent);
}

/** Adds a parent to a position. If it leads in a circle or too deep, what is above it counts as unknown. */
export function climb(position: Position, parent: Parent | null): Position {
  if (parent === null) return position;
  if (parent.kind === 'workspace') return { ...position, end: 'top' };
  const next = toNode(parent);
  if (!next || isKnown(position, next) || position.above.length >= DEEPEST)
    return { ...position, end: 'hidden' };
  return { ...position, above: [...position.above, next] };
}

function toNode({ kind, id }: Parent): Node | null {
  return id === null || kind === 'unknown' || kind === 'workspace' ? null : { kind, id };
}

const isKnown = ({ pageId, above }: Position, { id }: Node) =>
  id === pageId || above.some((each) => each.id === id);
