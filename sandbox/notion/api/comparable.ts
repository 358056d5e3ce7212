import type { Row } from '../notion-state';
import { optionsOf, type Property } from '../property';
import { plainText } from '../rich-text';
import type { Caller } from './caller';
import { formulaNumber, toMinute } from './property-value';

/** What filters and sorts compare: options by name, people and relations by id, dates by their start. */
export type Comparable = string | number | boolean | string[] | null;

export function comparableOf(caller: Caller, row: Row, property: Property): Comparable {
  switch (property.type) {
    case 'created_time':
      return toMinute(row.createdAt);
    case 'last_edited_time':
      return toMinute(row.editedAt);
    case 'created_by':
      return [row.createdBy];
    case 'last_edited_by':
      return [row.editedBy];
    case 'unique_id':
      return row.number;
    case 'formula':
      return formulaNumber(row, property);
  }
  const value = row.values[property.id];
  const optionName = (id: string) => optionsOf(property).find((each) => each.id === id)?.name ?? '';
  switch (value?.type) {
    case 'text':
      return plainText(value.items, caller.members);
    case 'number':
      return value.number;
    case 'option':
      return value.id ? optionName(value.id) : null;
    case 'options':
      return value.ids.map(optionName);
    case 'people':
    case 'relation':
      return value.ids;
    case 'date':
      return value.date?.start ?? null;
    case 'checkbox':
      return value.checked;
    case 'string':
      return value.string;
    case 'files':
      return value.files.map((file) => file.name);
    default:
      return property.type === 'checkbox' ? false : null;
  }
}
