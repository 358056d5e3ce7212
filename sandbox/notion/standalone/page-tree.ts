import type {
  Authorization,
  Container,
  Database,
  Doc,
  DocParent,
  Member,
  NotionState,
  Row,
  Workspace,
} from '../notion-state';

/** The part of the stand-in's world that the tree of pages needs. */
interface World {
  state: NotionState;
  row(id: string): Row | undefined;
  databaseOf(row: Row): Database;
  workspaceOf(memberId: string): Workspace | undefined;
}

// Limits the climb in a tree that leads in a circle.
const DEEPEST = 200;

export const docsOf = (world: World): Doc[] => Object.values(world.state.docs ?? {});

export const findDoc = (world: World, id: string): Doc | undefined => world.state.docs?.[id];

export const findContainer = (world: World, id: string): Container | undefined =>
  world.state.containers?.[id];

/** The pages at the top of a person's workspace. Guests see none. */
export function topDocsOf(world: World, person: Member): Doc[] {
  if (person.role === 'guest') return [];
  const home = world.workspaceOf(person.id);
  return docsOf(world).filter(
    (each) => each.workspaceId === home?.id && each.parent.type === 'workspace' && !each.inTrash,
  );
}

/** A page outside databases by id, or by its exact title. */
export function docNamed(world: World, given: string): Doc | undefined {
  return findDoc(world, given) ?? docsOf(world).find(({ title }) => title === given);
}

/** Whether a connection sees what this contains: sharing a page shares everything in it. */
export function seesIn(world: World, authorization: Authorization, parent: DocParent, depth = 0): boolean {
  if (parent.type === 'workspace' || depth > DEEPEST) return false;
  const { shared } = authorization;
  if (parent.id in shared) return true;
  const row = world.row(parent.id);
  if (row) return seesDatabase(world, authorization, world.databaseOf(row), depth + 1);
  const next = findDoc(world, parent.id) ?? findContainer(world, parent.id);
  return next !== undefined && seesIn(world, authorization, next.parent, depth + 1);
}

export function seesDoc(world: World, authorization: Authorization, doc: Doc): boolean {
  return doc.id in authorization.shared || seesIn(world, authorization, doc.parent);
}

export function seesDatabase(
  world: World,
  authorization: Authorization,
  database: Database,
  depth = 0,
): boolean {
  if (database.id in authorization.shared) return true;
  return database.parent !== undefined && seesIn(world, authorization, database.parent, depth);
}

/** A parent in the form that the API's objects have. */
export function parentObject(parent: DocParent) {
  if (parent.type === 'page') return { type: 'page_id' as const, page_id: parent.id };
  if (parent.type === 'block') return { type: 'block_id' as const, block_id: parent.id };
  return { type: 'workspace' as const, workspace: true as const };
}
