import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Author, Block, Database, Row, Value } from './notion-state';
import type { NotionWorld } from './notion-world';
import { optionsOf } from './property';
import { noteRowChange } from './webhooks/change-window';

/** Adds a row. A missing status becomes the first option of the first group, as in Notion. */
export function createRow(
  world: NotionWorld,
  database: Database,
  author: Author,
  given: { values: Record<string, Value>; body?: Block[]; icon?: string | null },
): Row {
  const now = world.now();
  const row: Row = {
    id: randomUUID(),
    dataSourceId: database.dataSourceId,
    number: database.nextNumber,
    icon: given.icon ?? null,
    createdAt: now,
    createdBy: author.id,
    editedAt: now,
    editedBy: author.id,
    inTrash: false,
    isLocked: false,
    values: { ...defaultStatuses(database), ...given.values },
    body: given.body ?? [],
  };
  database.nextNumber += 1;
  world.state.rows[row.id] = row;
  noteRowChange(world, row, author, { created: true });
  return row;
}

/** Sets property values. Setting the current value is no change and causes no event. */
export function changeRow(world: NotionWorld, row: Row, author: Author, values: Record<string, Value>): void {
  const changed = Object.entries(values).filter(
    ([id, value]) => !isDeepStrictEqual(row.values[id] ?? emptyLike(value), value),
  );
  if (changed.length === 0) return;
  for (const [id, value] of changed) row.values[id] = value;
  touch(world, row, author);
  noteRowChange(world, row, author, { properties: changed.map(([id]) => id) });
}

export function changeBody(world: NotionWorld, row: Row, author: Author, paragraphs: string[]): void {
  const before = row.body;
  const body = paragraphs.map((text, index): Block => {
    const old = before[index];
    return {
      id: old?.id ?? randomUUID(),
      type: old?.type ?? 'paragraph',
      text: [{ kind: 'text', text, link: null }],
    };
  });
  if (isDeepStrictEqual(before, body)) return;
  const touched = [...body, ...before.slice(body.length)].filter(
    (block, index) => !isDeepStrictEqual(before[index], block) || index >= body.length,
  );
  row.body = body;
  touch(world, row, author);
  noteRowChange(world, row, author, { blocks: touched.map((each) => each.id) });
}

export function setTrashed(world: NotionWorld, row: Row, author: Author, inTrash: boolean): void {
  if (row.inTrash === inTrash) return;
  const before = row.inTrash;
  row.inTrash = inTrash;
  touch(world, row, author);
  noteRowChange(world, row, author, { trash: { before } });
}

function touch(world: NotionWorld, row: Row, author: Author): void {
  row.editedAt = world.now();
  row.editedBy = author.id;
}

function defaultStatuses(database: Database): Record<string, Value> {
  const statuses = database.properties.filter((each) => each.type === 'status');
  return Object.fromEntries(
    statuses.map((each) => [each.id, { type: 'option' as const, id: optionsOf(each)[0]?.id ?? null }]),
  );
}

function emptyLike(value: Value): Value {
  switch (value.type) {
    case 'text':
      return { type: 'text', items: [] };
    case 'number':
      return { type: 'number', number: null };
    case 'option':
      return { type: 'option', id: null };
    case 'date':
      return { type: 'date', date: null };
    case 'checkbox':
      return { type: 'checkbox', checked: false };
    case 'string':
      return { type: 'string', string: null };
    case 'files':
      return { type: 'files', files: [] };
    case 'raw':
      return { type: 'raw', raw: null };
    default:
      return { type: value.type, ids: [] };
  }
}
