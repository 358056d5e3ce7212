import type { Node, Parent } from '@/lib/integrations/notion/notion-parent';
import type { Position } from '../matching/sources';

/** No page of a person stands deeper; a chain of parents that is longer is not followed. */
export const DEEPEST = 100;

/** The position of a page that stands in this. */
export function startPosition(
  page: Pick<Position, 'pageId' | 'databaseId'>,
  parent: Parent | null,
): Position {
  return climb({ ...page, above: [], end: 'open' }, parent);
}

/** The position with one parent more. One that leads in a circle, or too deep, says nothing about what is above it. */
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
