import type { PageObjectResponse } from '@notionhq/client';
import { invalid } from '../notion-error';
import type { Row } from '../notion-state';
import { hasId, type Property } from '../property';
import type { Caller } from './caller';
import { type PropertyValue, propertyValue, toMinute } from './property-value';

/** A page lists at most this many people, relations and mentions for each property. */
const MAX_REFERENCES = 25;

export type Page = Omit<PageObjectResponse, 'archived'>;

/** A row as the page endpoints return it; `only` holds the property ids from filter_properties. */
export function pageObject(caller: Caller, row: Row, only: string[] = []): Page {
  const database = caller.world.databaseOf(row);
  const shown = chosen(caller.properties(database), only);
  return {
    object: 'page',
    id: row.id,
    created_time: toMinute(row.createdAt),
    last_edited_time: toMinute(row.editedAt),
    created_by: { object: 'user', id: row.createdBy },
    last_edited_by: { object: 'user', id: row.editedBy },
    in_trash: row.inTrash,
    is_archived: false,
    is_locked: row.isLocked,
    cover: null,
    icon: row.icon ? { type: 'emoji', emoji: row.icon } : null,
    parent: { type: 'data_source_id', data_source_id: database.dataSourceId, database_id: database.id },
    properties: Object.fromEntries(
      shown.map((each) => [each.name, shortened(propertyValue(caller, row, each))]),
    ),
    url: caller.world.urlOf(row.id),
    public_url: null,
  };
}

function chosen(properties: Property[], only: string[]): Property[] {
  if (only.length === 0) return properties;
  const unknown = only.find((given) => !properties.some((each) => hasId(each, given)));
  if (unknown) throw invalid(`Could not find property with name or id: ${unknown}`);
  return properties.filter((each) => only.some((given) => hasId(each, given)));
}

function shortened(value: PropertyValue): PropertyValue {
  if (value.type === 'people') return { ...value, people: value.people.slice(0, MAX_REFERENCES) };
  if (value.type === 'relation')
    return {
      ...value,
      relation: value.relation.slice(0, MAX_REFERENCES),
      has_more: value.relation.length > MAX_REFERENCES,
    } as PropertyValue;
  if (value.type === 'title') return { ...value, title: upToMentions(value.title) };
  if (value.type === 'rich_text') return { ...value, rich_text: upToMentions(value.rich_text) };
  return value;
}

function upToMentions<T extends { type: string }>(items: T[]): T[] {
  let mentions = 0;
  return items.filter((item) => {
    if (item.type === 'mention') mentions += 1;
    return mentions <= MAX_REFERENCES;
  });
}
