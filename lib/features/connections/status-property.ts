import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';

/** The kept schema of a database, in Notion's own order. */
export function schemaOf(database: { properties: unknown }): SchemaProperty[] {
  // Written by refresh-workspace alone, from this very type.
  return database.properties as SchemaProperty[];
}

/** What properties and options that the database no longer has were called last, by id. */
export function formerNamesOf(database: { formerNames: unknown }): Record<string, string> {
  return database.formerNames as Record<string, string>;
}

/**
 * The property that makes a database a task database. Which one it is, PostgreSQL says where the schema is stored; see
 * `NotionDatabase.statusPropertyId`.
 */
export function statusPropertyOf(database: {
  properties: unknown;
  statusPropertyId: string | null;
}): SchemaProperty | undefined {
  return schemaOf(database).find(({ id }) => id === database.statusPropertyId);
}
