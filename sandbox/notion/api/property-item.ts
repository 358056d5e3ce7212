import type { Row } from '../notion-state';
import type { Property } from '../property';
import type { Caller } from './caller';
import { pageOf } from './page-list';
import { propertyValue } from './property-value';

/** The whole value of a property: a list of items for types that may be long, otherwise a single item. */
export function propertyItems(
  caller: Caller,
  row: Row,
  property: Property,
  paging: { start_cursor?: string | null | undefined; page_size?: number | undefined },
) {
  const { id, type } = property;
  const listOf = (items: readonly unknown[], content: unknown = {}) => {
    const list = pageOf([...items], paging);
    const path = `${caller.world.origin}/v1/pages/${row.id}/properties/${id}`;
    const next_url = list.next_cursor ? `${path}?start_cursor=${list.next_cursor}` : null;
    return {
      ...list,
      results: list.results.map((item) => ({ object: 'property_item', id, type, [type]: item })),
      type: 'property_item',
      property_item: { id, next_url, type, [type]: content },
    };
  };
  const value = propertyValue(caller, row, property);
  switch (value.type) {
    case 'title':
      return listOf(value.title);
    case 'rich_text':
      return listOf(value.rich_text);
    case 'people':
      return listOf(value.people);
    case 'relation':
      return listOf(value.relation);
    case 'rollup':
      return listOf(value.rollup.type === 'array' ? value.rollup.array : [], value.rollup);
    default:
      return { object: 'property_item', ...value };
  }
}
