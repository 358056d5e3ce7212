import type { DatabaseObjectResponse, DataSourceObjectResponse } from '@notionhq/client';
import type { Database } from '../notion-state';
import type { Property } from '../property';
import { parentObject } from '../standalone/page-tree';
import type { Caller } from './caller';
import { toMinute } from './property-value';

/** A data source with its columns, as `GET /v1/data_sources/{id}` and search return it. */
export function dataSourceObject(
  caller: Caller,
  database: Database,
): Omit<DataSourceObjectResponse, 'archived'> {
  return {
    object: 'data_source',
    id: database.dataSourceId,
    ...commonOf(caller, database),
    parent: { type: 'database_id', database_id: database.id },
    database_parent: parentObject(database.parent ?? { type: 'workspace' }),
    properties: Object.fromEntries(
      caller.properties(database).map((each) => [each.name, propertyConfig(caller, each)]),
    ),
    url: caller.world.urlOf(database.dataSourceId),
  };
}

/** A database: the container, which since 2025-09-03 has no columns of its own. */
export function databaseObject(caller: Caller, database: Database): Omit<DatabaseObjectResponse, 'archived'> {
  return {
    object: 'database',
    id: database.id,
    ...commonOf(caller, database),
    parent: parentObject(database.parent ?? { type: 'workspace' }),
    is_locked: false,
    data_sources: [{ id: database.dataSourceId, name: database.name }],
    url: caller.world.urlOf(database.id),
  };
}

function commonOf(caller: Caller, database: Database) {
  return {
    title: textOf(database.name),
    description: textOf(database.description),
    is_inline: false,
    in_trash: database.inTrash ?? false,
    icon: { type: 'emoji' as const, emoji: database.icon },
    cover: null,
    created_time: toMinute(database.createdAt),
    created_by: { object: 'user' as const, id: database.createdBy },
    last_edited_time: lastEdited(caller, database),
    last_edited_by: { object: 'user' as const, id: database.editedBy },
    public_url: null,
  };
}

function lastEdited(caller: Caller, database: Database): string {
  const times = caller.world.rowsOf(database.dataSourceId).map((row) => row.editedAt);
  return toMinute([database.editedAt, ...times].sort().at(-1) ?? database.editedAt);
}

function textOf(content: string) {
  if (!content) return [];
  return [
    {
      type: 'text' as const,
      text: { content, link: null },
      annotations: {
        bold: false,
        italic: false,
        strikethrough: false,
        underline: false,
        code: false,
        color: 'default' as const,
      },
      plain_text: content,
      href: null,
    },
  ];
}

function propertyConfig(caller: Caller, property: Property): DataSourceObjectResponse['properties'][string] {
  const { id, name, description, type } = property;
  return { id, name, description, type, [type]: contentOf(caller, property) } as ReturnType<
    typeof propertyConfig
  >;
}

function contentOf(caller: Caller, property: Property): unknown {
  switch (property.type) {
    case 'number':
      return { format: property.format };
    case 'select':
    case 'multi_select':
      return { options: property.options };
    case 'status':
      return { options: property.options, groups: property.groups };
    case 'unique_id':
      return { prefix: property.prefix };
    case 'formula':
      return { expression: property.expression };
    case 'relation':
      return {
        database_id: property.databaseId,
        data_source_id: property.dataSourceId,
        type: 'single_property',
        single_property: {},
      };
    case 'rollup':
      return rollupConfig(caller, property);
    default:
      return {};
  }
}

function rollupConfig(caller: Caller, property: Extract<Property, { type: 'rollup' }>) {
  const home = caller.world.state.databases.find((each) => each.properties.includes(property));
  const relation = home?.properties.find((each) => each.id === property.relationId);
  const target = relation?.type === 'relation' ? caller.world.database(relation.dataSourceId) : undefined;
  return {
    function: property.function,
    relation_property_id: property.relationId,
    relation_property_name: relation?.name ?? '',
    rollup_property_id: property.targetId,
    rollup_property_name: target?.properties.find((each) => each.id === property.targetId)?.name ?? '',
  };
}
