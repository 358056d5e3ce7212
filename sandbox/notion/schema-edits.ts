import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Author, Database, SchemaChange } from './notion-state';
import type { NotionWorld } from './notion-world';
import {
  COLORS,
  type Color,
  isNamed,
  type Option,
  optionsOf,
  type Property,
  type PropertyConfig,
  RAW_TYPES,
  type RawType,
} from './property';
import { fromSimple, toSimple } from './simple-value';
import { noteDatabaseChange, noteSchemaChange } from './webhooks/change-window';

const ADDABLE = [
  'rich_text',
  'number',
  'select',
  'multi_select',
  'status',
  'date',
  'people',
  'checkbox',
  'url',
  'email',
  'phone_number',
  'files',
] as const;
export const ADDABLE_TYPES: readonly (typeof ADDABLE)[number][] = ADDABLE;

type AddableType = (typeof ADDABLE)[number] | RawType;

/** A change to a data source's columns or options, as the page and the control API send it. */
export const schemaEditSchema = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('add property'),
    name: z.string().min(1),
    type: z.enum([...ADDABLE, ...RAW_TYPES]),
    id: z.string().optional(),
  }),
  z.strictObject({ action: z.literal('rename property'), property: z.string(), name: z.string().min(1) }),
  z.strictObject({ action: z.literal('convert property'), property: z.string(), type: z.enum(ADDABLE) }),
  z.strictObject({ action: z.literal('delete property'), property: z.string() }),
  z.strictObject({
    action: z.literal('add option'),
    property: z.string(),
    name: z.string().min(1),
    color: z.enum(COLORS).default('default'),
    group: z.string().optional(),
  }),
  z.strictObject({
    action: z.literal('rename option'),
    property: z.string(),
    option: z.string(),
    name: z.string().min(1),
    color: z.enum(COLORS).optional(),
  }),
  z.strictObject({ action: z.literal('delete option'), property: z.string(), option: z.string() }),
]);
export type SchemaEdit = z.infer<typeof schemaEditSchema>;

/** Applies one change of the columns. Throws an Error with a sentence if it is impossible. */
export function editSchema(world: NotionWorld, database: Database, author: Author, edit: SchemaEdit): void {
  database.editedAt = world.now();
  database.editedBy = author.id;
  noteSchemaChange(world, database, author, apply(world, database, edit));
}

export function renameDatabase(world: NotionWorld, database: Database, author: Author, name: string): void {
  if (database.name === name) return;
  Object.assign(database, { name, editedAt: world.now(), editedBy: author.id });
  noteDatabaseChange(world, database, author, { renamed: true });
}

/** Puts a database into the trash, where it can be read but no longer queried, or restores it. */
export function setDatabaseTrashed(
  world: NotionWorld,
  database: Database,
  author: Author,
  inTrash: boolean,
): void {
  const before = database.inTrash ?? false;
  if (before === inTrash) return;
  Object.assign(database, { inTrash, editedAt: world.now(), editedBy: author.id });
  noteDatabaseChange(world, database, author, { trash: { before } });
}

/** Adds an option that an API write names for the first time, with its own colour. */
export function addNamedOption(
  world: NotionWorld,
  database: Database,
  author: Author,
  { property, ...given }: { property: Property; name: string; color?: Color },
): Option {
  const existing = optionsOf(property);
  const color = given.color ?? COLORS[1 + (existing.length % (COLORS.length - 1))] ?? 'default';
  const option = { id: randomUUID(), name: given.name, color, description: null };
  existing.push(option);
  noteSchemaChange(world, database, author, { id: property.id, name: property.name, action: 'updated' });
  return option;
}

function apply(world: NotionWorld, database: Database, edit: SchemaEdit): SchemaChange {
  if (edit.action === 'add property') return addProperty(database, edit);
  const property = database.properties.find((each) => isNamed(each, edit.property));
  if (!property) throw new Error(`"${database.name}" has no property "${edit.property}".`);
  switch (edit.action) {
    case 'rename property':
      requireFreeName(database, edit.name);
      property.name = edit.name;
      break;
    case 'convert property':
      convertProperty(world, database, property, edit.type);
      break;
    case 'delete property':
      if (property.type === 'title') throw new Error('The title property cannot be deleted.');
      database.properties = database.properties.filter((each) => each !== property);
      for (const row of world.rowsOf(database.dataSourceId)) delete row.values[property.id];
      return { id: property.id, name: property.name, action: 'deleted' };
    case 'add option':
      addOption(property, edit.name, edit.color, edit.group);
      break;
    case 'rename option': {
      const option = requireOption(property, edit.option);
      option.name = edit.name;
      option.color = edit.color ?? option.color;
      break;
    }
    case 'delete option':
      deleteOption(world, database, property, requireOption(property, edit.option));
  }
  return { id: property.id, name: property.name, action: 'updated' };
}

interface NewProperty {
  name: string;
  type: AddableType;
  id?: string | undefined;
}

function addProperty(
  database: Database,
  { name, type, id = newPropertyId(database) }: NewProperty,
): SchemaChange {
  requireFreeName(database, name);
  database.properties.push({ id, name, description: null, ...newConfig(type) });
  return { id, name, action: 'created' };
}

function newConfig(type: AddableType): PropertyConfig {
  if (type === 'number') return { type, format: 'number' };
  if (type === 'select' || type === 'multi_select') return { type, options: [] };
  if (type !== 'status') return { type };
  const names: [string, string, Color][] = [
    ['Not started', 'To-do', 'default'],
    ['In progress', 'In progress', 'blue'],
    ['Done', 'Complete', 'green'],
  ];
  const options = names.map(([name, , color]) => ({ id: randomUUID(), name, color, description: null }));
  const groups = names.map(([, name, color], index) => ({
    id: randomUUID(),
    name,
    color: index === 0 ? ('gray' as const) : color,
    option_ids: [options[index]?.id ?? ''],
  }));
  return { type, options, groups };
}

/** Gives a property another type. Values that the new type cannot hold are lost. */
function convertProperty(
  world: NotionWorld,
  database: Database,
  property: Property,
  type: AddableType,
): void {
  if (property.type === 'title') throw new Error('The title property cannot be converted.');
  const { id, name, description } = property;
  const converted: Property = { id, name, description, ...newConfig(type) };
  const names = world.names(database.workspaceId);
  for (const row of world.rowsOf(database.dataSourceId)) {
    const value = row.values[id];
    const simple = value?.type === 'date' ? value.date?.start : toSimple(property, value, names.members);
    const text = Array.isArray(simple) ? simple.join(', ') : simple;
    const isNewOption = text && !optionsOf(converted).some((option) => option.name === String(text));
    if (isNewOption && 'options' in converted) addOption(converted, String(text), 'default', undefined);
    try {
      row.values[id] = fromSimple(converted, text, names);
    } catch {
      delete row.values[id];
    }
  }
  database.properties = database.properties.map((each) => (each === property ? converted : each));
}

/** Four printable characters in percent-encoding, like Notion's own ids. */
function newPropertyId(database: Database): string {
  const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ<>[]{}|@=^;:';
  for (;;) {
    const id = encodeURIComponent([...randomBytes(4)].map((byte) => letters[byte % letters.length]).join(''));
    if (!database.properties.some((each) => each.id === id)) return id;
  }
}

function addOption(property: Property, name: string, color: Color, groupName: string | undefined): void {
  if (!('options' in property)) throw new Error(`"${property.name}" has no options.`);
  if (property.options.some((each) => each.name === name)) throw new Error(`"${name}" is already an option.`);
  const option = { id: randomUUID(), name, color, description: null };
  property.options.push(option);
  if (property.type !== 'status') return;
  const group = property.groups.find((each) => each.name === groupName) ?? property.groups[0];
  group?.option_ids.push(option.id);
}

/** Rows that had the option get the first option of a status, or none. */
function deleteOption(world: NotionWorld, database: Database, property: Property, option: Option): void {
  if (!('options' in property)) return;
  if (property.type === 'status' && property.options.length === 1)
    throw new Error('A status keeps at least one option.');
  property.options = property.options.filter((each) => each !== option);
  if (property.type === 'status')
    for (const group of property.groups) group.option_ids = group.option_ids.filter((id) => id !== option.id);
  for (const row of world.rowsOf(database.dataSourceId)) {
    const value = row.values[property.id];
    if (value?.type === 'option' && value.id === option.id)
      value.id = property.type === 'status' ? (property.options[0]?.id ?? null) : null;
    if (value?.type === 'options') value.ids = value.ids.filter((id) => id !== option.id);
  }
}

function requireOption(property: Property, given: string): Option {
  const option = optionsOf(property).find((each) => each.id === given || each.name === given);
  if (!option) throw new Error(`"${property.name}" has no option "${given}".`);
  return option;
}

function requireFreeName(database: Database, name: string): void {
  if (database.properties.some((each) => each.name === name))
    throw new Error(`"${name}" is already a property.`);
}
