import { z } from 'zod';
import type { Author, Database, Row, Value } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { optionsOf, type Property } from '../property';
import { changeRow, createRow } from '../row-edits';
import { fromSimple, type Names } from '../simple-value';
import { closeWindows } from '../webhooks/change-window';

export const floodSchema = z.strictObject({
  database: z.string(),
  as: z.string().default('mira'),
  count: z.int().min(1).max(10_000),
  /** edit: cycles through the rows and changes the property; create: adds rows. */
  kind: z.enum(['edit', 'create']).default('edit'),
  /** The property to change; default the first status, else the title. */
  property: z.string().optional(),
  /** Gives every change its own event instead of merging them in a window. */
  separate: z.boolean().default(false),
});

/** Makes many changes at once. Returns the row of each change, in order. */
export function flood(
  world: NotionWorld,
  database: Database,
  author: Author,
  request: z.infer<typeof floodSchema>,
): Row[] {
  const title = database.properties.find((each) => each.type === 'title');
  const status = database.properties.find((each) => each.type === 'status');
  const property = request.property
    ? database.properties.find((each) => each.name === request.property)
    : (status ?? title);
  if (!property || !title) throw new Error(`"${database.name}" has no property "${request.property}".`);
  const rows = world.rowsOf(database.dataSourceId).filter((row) => !row.inTrash);
  const names = world.names(database.workspaceId);
  const changes = Array.from({ length: request.count }, (_, index) => {
    const row = rows[index % rows.length];
    const changed =
      request.kind === 'create' || !row
        ? createRow(world, database, author, { values: { [title.id]: text(`Flood ${index + 1}`) } })
        : row;
    if (request.kind === 'edit')
      changeRow(world, changed, author, {
        [property.id]: nextValue(names, property, changed.values[property.id], index),
      });
    if (request.separate) closeWindows(world, Number.POSITIVE_INFINITY);
    return changed;
  });
  world.wake();
  return changes;
}

function nextValue(names: Names, property: Property, before: Value | undefined, index: number): Value {
  if (property.type === 'status' || property.type === 'select') {
    const ids = optionsOf(property).map((each) => each.id);
    const at = before?.type === 'option' && before.id ? ids.indexOf(before.id) : -1;
    return { type: 'option', id: ids[(at + 1) % ids.length] ?? null };
  }
  if (property.type === 'number')
    return { type: 'number', number: (before?.type === 'number' ? (before.number ?? 0) : 0) + 1 };
  if (property.type === 'checkbox')
    return { type: 'checkbox', checked: !(before?.type === 'checkbox' && before.checked) };
  return fromSimple(property, `Flood ${index + 1}`, names);
}

function text(content: string): Value {
  return { type: 'text', items: [{ kind: 'text', text: content, link: null }] };
}
