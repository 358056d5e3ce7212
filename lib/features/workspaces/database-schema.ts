import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';

/** The kept schema of a database, in Notion's own order. */
export function schemaOf(database: { properties: unknown }): SchemaProperty[] {
  // Written only by `upsertDatabasesSql`, from this very type.
  return database.properties as SchemaProperty[];
}

/** What a reference in somebody's input means: the entry with this id, or else with this name. */
export const findReferred = <T extends { id: string; name: string }>(
  all: T[],
  reference: string,
): T | undefined => all.find(({ id }) => id === reference) ?? all.find(({ name }) => name === reference);

/** The last known names, by id, of properties and options that the database no longer has. */
export function formerNamesOf(database: { formerNames: unknown }): Record<string, string> {
  // Without what every object has, such as "constructor".
  return Object.assign(Object.create(null), database.formerNames);
}

/** Why a reference in somebody's input means no property. A stored rule may refer to one that was deleted. */
export function whyNoProperty(database: { name: string; formerNames: unknown }, reference: string): string {
  const former = formerNamesOf(database)[reference];
  return former === undefined
    ? `${database.name} has no property "${reference}"`
    : `The property "${former}" was deleted in Notion`;
}

/** The current or last known name of a property; its id if no name is known. */
export function propertyName(database: { properties: unknown; formerNames: unknown }, id: string): string {
  const property = schemaOf(database).find((each) => each.id === id);
  return property?.name ?? formerNamesOf(database)[id] ?? id;
}

/**
 * The property that makes a database a task database. PostgreSQL derives it from the stored schema; see
 * `NotionDatabase.statusPropertyId`.
 */
export function statusPropertyOf(database: {
  properties: unknown;
  statusPropertyId: string | null;
}): SchemaProperty | undefined {
  return schemaOf(database).find(({ id }) => id === database.statusPropertyId);
}

/** The same in SQL: whether the property `s` of the database `b` is that one. */
export const IS_STATUS_PROPERTY = `s ->> 'id' = b.status_property_id`;

/** The options of the group for finished work, which is Notion's last one, whatever its name. */
export function completeOptionIds({ groups }: Pick<SchemaProperty, 'groups'>): string[] {
  return (groups.find(({ name }) => /^complete$/i.test(name)) ?? groups.at(-1))?.optionIds ?? [];
}
