import type { Database, DateValue, Member, Row, Value } from './notion-state';
import { isRaw, type Option, optionsOf, type Property } from './property';
import { plainText } from './rich-text';

/** The people and rows that names in simple values may refer to. */
export interface Names {
  members: Member[];
  rowsOf(dataSourceId: string): Row[];
}

/**
 * Turns what a person or a test would write (an option's name, a member's key, a date) into a stored value. Throws an
 * Error with a sentence when the name is unknown or the property is computed.
 */
export function fromSimple(property: Property, simple: unknown, names: Names): Value {
  switch (property.type) {
    case 'title':
    case 'rich_text':
      return { type: 'text', items: toParts(simple).map((text) => ({ kind: 'text', text, link: null })) };
    case 'number':
      return { type: 'number', number: isBlank(simple) ? null : toNumber(simple) };
    case 'select':
    case 'status':
      return { type: 'option', id: isBlank(simple) ? null : findOption(property, simple).id };
    case 'multi_select':
      return { type: 'options', ids: toList(simple).map((name) => findOption(property, name).id) };
    case 'people':
      return { type: 'people', ids: toList(simple).map((name) => findMember(names.members, name).id) };
    case 'relation':
      return { type: 'relation', ids: toList(simple).map((name) => findTarget(property, name, names).id) };
    case 'date':
      return { type: 'date', date: toDate(simple) };
    case 'checkbox':
      return { type: 'checkbox', checked: simple === true || simple === 'true' || simple === 'on' };
    case 'url':
    case 'email':
    case 'phone_number':
      return { type: 'string', string: isBlank(simple) ? null : String(simple) };
    case 'files':
      return {
        type: 'files',
        files: toList(simple).map((url) => ({ name: fileName(url), url, external: true })),
      };
    default:
      if (isRaw(property)) return { type: 'raw', raw: simple };
      throw new Error(`"${property.name}" is computed by Notion and cannot be edited.`);
  }
}

/** The reverse of `fromSimple`, for tests and for the control API's responses. */
export function toSimple(property: Property, value: Value | undefined, members: Member[]): unknown {
  if (!value) return null;
  const option = (id: string) => optionsOf(property).find((each) => each.id === id)?.name ?? null;
  switch (value.type) {
    case 'text':
      return plainText(value.items, members);
    case 'number':
      return value.number;
    case 'option':
      return value.id ? option(value.id) : null;
    case 'options':
      return value.ids.map(option);
    case 'people':
      return value.ids.map((id) => members.find((each) => each.id === id)?.name ?? id);
    case 'relation':
      return value.ids;
    case 'date':
      return value.date;
    case 'checkbox':
      return value.checked;
    case 'string':
      return value.string;
    case 'files':
      return value.files.map((file) => file.name);
    case 'raw':
      return value.raw;
  }
}

/** The text of a row's title property. */
export function titleOf(database: Database, row: Row, members: Member[] = []): string {
  const title = database.properties.find((each) => each.type === 'title');
  const value = title && row.values[title.id];
  return value?.type === 'text' ? plainText(value.items, members) : '';
}

function isBlank(simple: unknown): boolean {
  return simple === null || simple === undefined || simple === '';
}

/** A text in parts as long as Notion's. */
function toParts(simple: unknown): string[] {
  return isBlank(simple) ? [] : (String(simple).match(/[\s\S]{1,2000}/gu) ?? []);
}

function toNumber(simple: unknown): number {
  const number = Number(simple);
  if (!Number.isFinite(number)) throw new Error(`"${String(simple)}" is not a number.`);
  return number;
}

function toList(simple: unknown): string[] {
  if (isBlank(simple)) return [];
  return (Array.isArray(simple) ? simple : [simple]).map(String);
}

function findOption(property: Property, given: unknown): Option {
  const option = optionsOf(property).find((each) => each.name === given || each.id === given);
  if (!option) throw new Error(`"${property.name}" has no option "${String(given)}".`);
  return option;
}

function findMember(members: Member[], given: string): Member {
  const member = members.find((each) => [each.id, each.key, each.name, each.email].includes(given));
  if (!member) throw new Error(`Nobody here is called "${given}".`);
  return member;
}

function findTarget(property: Property, given: string, names: Names): Row {
  const rows = property.type === 'relation' ? names.rowsOf(property.dataSourceId) : [];
  const target = rows.find(
    (row) => row.id === given || Object.values(row.values).some((v) => isTitle(v, given)),
  );
  if (!target) throw new Error(`"${property.name}" has nothing called "${given}" to point at.`);
  return target;
}

function isTitle(value: Value, title: string): boolean {
  return value.type === 'text' && plainText(value.items, []) === title;
}

function toDate(simple: unknown): DateValue | null {
  if (isBlank(simple)) return null;
  const { start, end, time_zone } =
    typeof simple === 'object' && simple !== null
      ? (simple as Partial<DateValue>)
      : { start: String(simple) };
  if (!start || Number.isNaN(Date.parse(start))) throw new Error(`"${String(start)}" is not a date.`);
  return { start, end: end ?? null, time_zone: time_zone ?? null };
}

function fileName(url: string): string {
  return url.split('/').at(-1) ?? url;
}
