import type { Database, Row, Value } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { isNamed, isWritable } from '../property';
import { plainText } from '../rich-text';
import { fromSimple, titleOf, toSimple } from '../simple-value';

/** A row in plain values, as the control API returns it. */
export function rowSummary(world: NotionWorld, row: Row) {
  const database = world.databaseOf(row);
  const members = world.members(database.workspaceId);
  return {
    id: row.id,
    title: titleOf(database, row, members),
    database: database.name,
    dataSourceId: database.dataSourceId,
    url: world.urlOf(row.id),
    inTrash: row.inTrash,
    editedAt: row.editedAt,
    editedBy: members.find((each) => each.id === row.editedBy)?.name ?? row.editedBy,
    body: row.body.map((block) => plainText(block.text, members)),
    properties: Object.fromEntries(
      database.properties
        .filter(isWritable)
        .map((each) => [each.name, toSimple(each, row.values[each.id], members)]),
    ),
  };
}

/** Converts plain values to stored ones, by property name or id. */
export function simpleValues(
  world: NotionWorld,
  database: Database,
  properties: Record<string, unknown>,
): Record<string, Value> {
  const names = world.names(database.workspaceId);
  return Object.fromEntries(
    Object.entries(properties).map(([name, simple]) => {
      const property = database.properties.find((each) => isNamed(each, name));
      if (!property) throw new Error(`"${database.name}" has no property "${name}".`);
      return [property.id, fromSimple(property, simple, names)];
    }),
  );
}
