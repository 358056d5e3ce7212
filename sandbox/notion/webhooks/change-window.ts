import type {
  Author,
  Authorization,
  ChangeWindow,
  Database,
  Doc,
  DocParent,
  Row,
  SchemaChange,
  WebhookEvent,
  WebhookPayload,
} from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { titleOf } from '../simple-value';
import { findDoc } from '../standalone/page-tree';
import { webhookEvent } from './webhook-event';

/** Records a change of a row; its events are created when the aggregation window closes. */
export function noteRowChange(
  world: NotionWorld,
  row: Row,
  author: Author,
  change: { created?: true; trash?: { before: boolean }; properties?: string[]; blocks?: string[] },
): void {
  const window = openWindow(world, author, {
    entity: { id: row.id, type: 'page' },
    dataSourceId: row.dataSourceId,
    wasInTrash: change.trash?.before ?? row.inTrash,
  });
  if (change.created) window.created = true;
  if (change.trash) window.trashTouched = true;
  window.properties = unique([...window.properties, ...(change.properties ?? [])]);
  const known = window.blocks.map((each) => each.id);
  for (const id of change.blocks ?? []) if (!known.includes(id)) window.blocks.push({ id, type: 'block' });
  close(world);
}

/** Records a change of a data source's properties. */
export function noteSchemaChange(
  world: NotionWorld,
  database: Database,
  author: Author,
  change: SchemaChange,
): void {
  const window = openWindow(world, author, { ...entityOf(database), wasInTrash: false });
  const earlier = window.schema.find((each) => each.id === change.id);
  window.schema = window.schema.filter((each) => each.id !== change.id);
  const action = earlier?.action === 'created' && change.action === 'updated' ? 'created' : change.action;
  window.schema.push({ ...change, action });
  close(world);
}

/** Records that a data source was renamed, put into the trash or restored. */
export function noteDatabaseChange(
  world: NotionWorld,
  database: Database,
  author: Author,
  change: { renamed?: true; trash?: { before: boolean } },
): void {
  const wasInTrash = change.trash?.before ?? false;
  const window = openWindow(world, author, { ...entityOf(database), wasInTrash });
  if (change.renamed) window.renamed = true;
  if (change.trash) window.trashTouched = true;
  close(world);
}

/** Records a change of a page outside databases. */
export function noteDocChange(
  world: NotionWorld,
  doc: Doc,
  author: Author,
  change: { created?: true; edited?: true; moved?: true; trash?: { before: boolean } },
): void {
  const window = openWindow(world, author, {
    entity: { id: doc.id, type: 'page' },
    dataSourceId: '',
    wasInTrash: change.trash?.before ?? doc.inTrash,
  });
  if (change.created) window.created = true;
  if (change.moved) window.moved = true;
  if (change.trash) window.trashTouched = true;
  // A title edit of such a page is reported as edited content.
  if (change.edited) window.blocks = [{ id: doc.id, type: 'page' }];
  close(world);
}

/** Records that a database was moved to another page. */
export function noteDatabaseMove(world: NotionWorld, database: Database, author: Author): void {
  const window = openWindow(world, author, {
    entity: { id: database.id, type: 'database' },
    dataSourceId: database.dataSourceId,
    wasInTrash: false,
  });
  window.moved = true;
  close(world);
}

/** Creates the events of every window that has closed by now and removes the windows. */
export function closeWindows(world: NotionWorld, nowMs: number): void {
  for (const [key, window] of Object.entries(world.state.windows)) {
    if (window.closesAtMs > nowMs) continue;
    delete world.state.windows[key];
    world.state.events.push(...eventsOf(world, window));
    world.save();
  }
}

/** How many open windows and unsent events there are. */
export function countUntold({ state }: NotionWorld): number {
  const leaving = state.events.filter((event) => ['waiting', 'sending'].includes(event.state));
  return Object.keys(state.windows).length + leaving.length;
}

function close(world: NotionWorld): void {
  world.save();
  world.wake();
}

function entityOf({ dataSourceId }: Database) {
  return { entity: { id: dataSourceId, type: 'data_source' as const }, dataSourceId };
}

function openWindow(
  world: NotionWorld,
  author: Author,
  { entity, dataSourceId, wasInTrash }: Pick<ChangeWindow, 'entity' | 'dataSourceId' | 'wasInTrash'>,
): ChangeWindow {
  const windows = world.state.windows;
  windows[entity.id] ??= {
    entity,
    dataSourceId,
    closesAtMs: Date.now() + world.settings.aggregationMs,
    touchedAt: world.now(),
    authors: [],
    created: false,
    wasInTrash,
    trashTouched: false,
    properties: [],
    blocks: [],
    schema: [],
  };
  const window = windows[entity.id] as ChangeWindow;
  window.touchedAt = world.now();
  if (!window.authors.some((each) => each.id === author.id)) window.authors.push(author);
  return window;
}

function eventsOf(world: NotionWorld, window: ChangeWindow): WebhookEvent[] {
  const doc = findDoc(world, window.entity.id);
  if (doc) return eventsOfDoc(world, window, doc);
  const database = world.database(window.dataSourceId);
  if (!database) return [];
  const row = world.row(window.entity.id);
  const about = {
    workspaceId: database.workspaceId,
    title: row ? titleOf(database, row) || 'Untitled' : database.name,
    bots: world.botsSeeing(database),
    parent: { id: database.id, type: 'database' as const, data_source_id: database.dataSourceId },
  };
  const make = (type: string, data: Data = {}) => buildEvent(world, window, about, { type, data });
  if (window.entity.type === 'database') {
    const parent = parentOf(database.parent ?? { type: 'workspace' }, database.workspaceId);
    return buildEvent(world, window, { ...about, parent }, { type: 'database.moved', data: {} });
  }
  if (window.entity.type === 'data_source') {
    const inTrash = database.inTrash ?? false;
    const isMoved = window.trashTouched && inTrash !== window.wasInTrash;
    return [
      ...(window.schema.length > 0
        ? make('data_source.schema_updated', { updated_properties: window.schema })
        : []),
      ...(window.renamed ? make('data_source.content_updated', { updated_blocks: [] }) : []),
      ...(isMoved ? make(inTrash ? 'data_source.deleted' : 'data_source.undeleted') : []),
    ];
  }

  const inTrash = world.row(window.entity.id)?.inTrash ?? true;
  if (window.created) return inTrash ? [] : make('page.created');
  const trashEvents =
    window.trashTouched && inTrash !== window.wasInTrash
      ? make(inTrash ? 'page.deleted' : 'page.undeleted')
      : [];
  const asContent = world.settings.titleEvents === 'content';
  const properties = window.properties.filter((id) => !(asContent && id === 'title'));
  const titleMoved = asContent && window.properties.includes('title');
  const blocks = titleMoved
    ? [{ id: window.entity.id, type: 'page' as const }, ...window.blocks]
    : window.blocks;
  return [
    ...(properties.length > 0 ? make('page.properties_updated', { updated_properties: properties }) : []),
    ...(blocks.length > 0 ? make('page.content_updated', { updated_blocks: blocks }) : []),
    ...trashEvents,
  ];
}

function eventsOfDoc(world: NotionWorld, window: ChangeWindow, doc: Doc): WebhookEvent[] {
  const about = {
    workspaceId: doc.workspaceId,
    title: doc.title || 'Untitled',
    bots: world.botsSeeingDoc(doc),
    parent: parentOf(doc.parent, doc.workspaceId),
  };
  const make = (type: string, data: Data = {}) => buildEvent(world, window, about, { type, data });
  if (window.created) return doc.inTrash ? [] : make('page.created');
  const isTrashed = window.trashTouched && doc.inTrash !== window.wasInTrash;
  return [
    ...(window.moved ? make('page.moved') : []),
    ...(window.blocks.length > 0 ? make('page.content_updated', { updated_blocks: window.blocks }) : []),
    ...(isTrashed ? make(doc.inTrash ? 'page.deleted' : 'page.undeleted') : []),
  ];
}

function parentOf(parent: DocParent, workspaceId: string): WebhookPayload['data']['parent'] {
  return parent.type === 'workspace' ? { id: workspaceId, type: 'space' } : parent;
}

type Data = Omit<WebhookPayload['data'], 'parent'>;

interface About {
  workspaceId: string;
  title: string;
  bots: Authorization[];
  parent: WebhookPayload['data']['parent'];
}

function buildEvent(
  world: NotionWorld,
  { entity, touchedAt, authors }: ChangeWindow,
  { title, parent, ...seen }: About,
  { type, data }: { type: string; data: Data },
): WebhookEvent[] {
  const told = { title, timestamp: touchedAt, type, authors, entity, data: { ...data, parent } };
  return webhookEvent(world, seen, told);
}

function unique(ids: string[]): string[] {
  return [...new Set(ids)];
}
