import type { Row } from '../notion-state';
import type { Property } from '../property';
import type { Caller } from './caller';
import { pageOf } from './page-list';
import { propertyValue } from './property-value';

/** A property's whole value: a list of items for types that may be long, else a single item. */
export function propertyItems(
  caller: Caller,
  row: Row,
  property: Property,
  paging: { start_cursor?: string | null | undefined; page_size?: number | undefined },
) {
  const value = propertyValue(caller, row, property);
  switch (value.type) {
    case 'title':
      return listOf(caller, row, property, value.title, paging, {});
    case 'rich_text':
      return listOf(caller, row, property, value.rich_text, paging, {});
    case 'people':
      return listOf(caller, row, property, value.people, paging, {});
    case 'relation':
      return listOf(caller, row, property, value.relation, paging, {});
    case 'rollup': {
      const items = value.rollup.type === 'array' ? value.rollup.array : [];
      return listOf(caller, row, property, items, paging, value.rollup);
    }
    default:
      return { object: 'property_item', ...value };
  }
}

function listOf(
  caller: Caller,
  row: Row,
  property: Property,
  items: readonly unknown[],
  paging: Parameters<typeof propertyItems>[3],
  content: unknown,
) {
  const { id, type } = property;
  const list = pageOf([...items], paging);
  const path = `${caller.world.origin}/v1/pages/${row.id}/properties/${id}`;
  const next_url = list.next_cursor ? `${path}?start_cursor=${list.next_cursor}` : null;
  return {
    ...list,
    results: list.results.map((item) => ({ object: 'property_item', id, type, [type]: item })),
    type: 'property_item',
    property_item: { id, next_url, type, [type]: content },
  };
}
