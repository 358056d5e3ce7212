import { randomUUID } from 'node:crypto';
import type { Author, Container, Database, Doc, DocParent } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { noteDatabaseMove, noteDocChange } from '../webhooks/change-window';

interface Draft {
  workspaceId: string;
  title: string;
  icon?: string | null;
  parent: DocParent;
}

export function createDoc(world: NotionWorld, author: Author, draft: Draft): Doc {
  const now = world.now();
  const doc: Doc = {
    id: randomUUID(),
    icon: null,
    ...draft,
    createdAt: now,
    createdBy: author.id,
    editedAt: now,
    editedBy: author.id,
    inTrash: false,
  };
  world.state.docs = { ...world.state.docs, [doc.id]: doc };
  noteDocChange(world, doc, author, { created: true });
  return doc;
}

/** Adds a toggle or a column that can hold other pages. Here that causes no event. */
export function createContainer(world: NotionWorld, draft: Omit<Container, 'id'>): Container {
  const container = { id: randomUUID(), ...draft };
  world.state.containers = { ...world.state.containers, [container.id]: container };
  world.save();
  return container;
}

export function renameDoc(world: NotionWorld, doc: Doc, author: Author, title: string): void {
  if (doc.title === title) return;
  doc.title = title;
  touch(world, doc, author);
  noteDocChange(world, doc, author, { edited: true });
}

/** Any other edit of a page's content. */
export function editDoc(world: NotionWorld, doc: Doc, author: Author): void {
  touch(world, doc, author);
  noteDocChange(world, doc, author, { edited: true });
}

/** Notion does not let anybody move a page into itself; this does, because a program must survive such answers. */
export function moveDoc(world: NotionWorld, doc: Doc, author: Author, parent: DocParent): void {
  doc.parent = parent;
  noteDocChange(world, doc, author, { moved: true });
}

export function trashDoc(world: NotionWorld, doc: Doc, author: Author, inTrash: boolean): void {
  if (doc.inTrash === inTrash) return;
  const before = doc.inTrash;
  doc.inTrash = inTrash;
  touch(world, doc, author);
  noteDocChange(world, doc, author, { trash: { before } });
}

export function moveDatabase(
  world: NotionWorld,
  database: Database,
  author: Author,
  parent: DocParent,
): void {
  database.parent = parent;
  noteDatabaseMove(world, database, author);
}

function touch(world: NotionWorld, doc: Doc, author: Author): void {
  doc.editedAt = world.now();
  doc.editedBy = author.id;
}
