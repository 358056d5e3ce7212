import type { PageObjectResponse } from '@notionhq/client';
import type { Database, DateValue, FileValue, Row, Value } from '../notion-state';
import { optionsOf, type Property, type PropertyOf } from '../property';
import { richTextObjects } from '../rich-text';
import { assignedObject, userObject } from '../user-object';
import type { Caller } from './caller';

export type PropertyValue = PageObjectResponse['properties'][string];

const FILE_LIFE_MS = 3_600_000;

/** Notion stores whole minutes only. */
export function toMinute(iso: string): string {
  return `${iso.slice(0, 16)}:00.000Z`;
}

/** A property of a row as `{ id, type, <type>: value }`, complete: nothing is cut here. */
export function propertyValue(caller: Caller, row: Row, property: Property): PropertyValue {
  return {
    id: property.id,
    type: property.type,
    [property.type]: contentOf(caller, row, property),
  } as PropertyValue;
}

function contentOf(caller: Caller, row: Row, property: Property): unknown {
  switch (property.type) {
    case 'created_time':
      return toMinute(row.createdAt);
    case 'last_edited_time':
      return toMinute(row.editedAt);
    case 'created_by':
      return userObject(row.createdBy, caller.members, caller.withEmail);
    case 'last_edited_by':
      return userObject(row.editedBy, caller.members, caller.withEmail);
    case 'unique_id':
      return { prefix: property.prefix, number: row.number };
    case 'formula':
      if (isUncomputed(caller, property)) return { type: 'unsupported', unsupported: {} };
      return { type: 'number', number: formulaNumber(row, property) };
    case 'rollup':
      if (isUncomputed(caller, property))
        return { type: 'incomplete', incomplete: {}, function: property.function };
      return rollup(caller, row, property);
    default:
      return storedContent(caller, property, row.values[property.id]);
  }
}

const isUncomputed = ({ world }: Caller, { name }: Property) =>
  world.context.faults.take('notion', ['uncomputed'], name) !== undefined;

function storedContent(caller: Caller, property: Property, value: Value | undefined): unknown {
  if (!value) return emptyContent(property);
  switch (value.type) {
    case 'text':
      return richTextObjects(value.items, caller.scene);
    case 'number':
      return value.number;
    case 'checkbox':
      return value.checked;
    case 'string':
      return value.string;
    case 'date':
      return value.date;
    case 'option':
      return value.id ? optionObject(property, value.id) : null;
    case 'options':
      return value.ids.map((id) => optionObject(property, id)).filter((each) => each !== null);
    case 'people':
      return value.ids.map((id) => assignedObject(id, caller.members, caller.withEmail));
    case 'relation':
      return value.ids.filter((id) => caller.world.row(id)).map((id) => ({ id }));
    case 'files':
      return value.files.map((file) => fileObject(file, caller.world.context.now()));
    case 'raw':
      return value.raw;
  }
}

function emptyContent(property: Property): unknown {
  if (property.type === 'checkbox') return false;
  const lists: Property['type'][] = ['title', 'rich_text', 'multi_select', 'people', 'relation', 'files'];
  return lists.includes(property.type) ? [] : null;
}

function optionObject(property: Property, id: string) {
  const option = optionsOf(property).find((each) => each.id === id);
  return option ? { id: option.id, name: option.name, color: option.color } : null;
}

function fileObject(file: FileValue, now: Date) {
  if (file.external) return { name: file.name, type: 'external', external: { url: file.url } };
  const expiry_time = new Date(now.getTime() + FILE_LIFE_MS).toISOString();
  return { name: file.name, type: 'file', file: { url: file.url, expiry_time } };
}

/** The sandbox's only formula: a weighted number; empty when the number is. */
export function formulaNumber(row: Row, property: PropertyOf<'formula'>): number | null {
  const number = row.values[property.numberId];
  const select = row.values[property.selectId];
  if (number?.type !== 'number' || number.number === null) return null;
  const factor = select?.type === 'option' && select.id ? property.factors[select.id] : undefined;
  return number.number * (factor ?? 1);
}

function rollup(caller: Caller, row: Row, property: PropertyOf<'rollup'>) {
  const relation = row.values[property.relationId];
  const ids = relation?.type === 'relation' ? relation.ids : [];
  const rows = ids.flatMap((id) => caller.world.row(id) ?? []);
  if (property.function === 'count') return { type: 'number', number: rows.length, function: 'count' };
  if (property.function === 'latest_date')
    return {
      type: 'date',
      date: latest(rows.map((each) => each.values[property.targetId])),
      function: 'latest_date',
    };
  const target = targetOf(caller, rows[0], property.targetId);
  const array = target
    ? rows.map((each) => ({ type: target.type, [target.type]: contentOf(caller, each, target) }))
    : [];
  return { type: 'array', array, function: 'show_original' };
}

/** The latest of some date values, for rollups. */
export function latest(values: (Value | undefined)[]): DateValue | null {
  const dates = values.flatMap((value) => (value?.type === 'date' && value.date ? [value.date] : []));
  return dates.toSorted((a, b) => b.start.localeCompare(a.start))[0] ?? null;
}

function targetOf(caller: Caller, row: Row | undefined, id: string): Property | undefined {
  const database: Database | undefined = row && caller.world.databaseOf(row);
  return database?.properties.find((each) => each.id === id);
}
