import { z } from 'zod';
import { invalid, notFound } from '../notion-error';
import type { Database, RichText, Value } from '../notion-state';
import { isNamed, type Option, optionsOf, type Property } from '../property';
import { addNamedOption } from '../schema-edits';
import { type Caller, toId } from './caller';
import {
  CONTENT_SCHEMAS,
  isWritableType,
  type OptionRequest,
  type RichTextRequest,
} from './property-write-schema';
import { check } from './request-body';

type Pending = () => Value;

/**
 * Checks the `properties` of a create or update completely and returns a function that applies them. Only that function
 * adds new select options, so a refused request leaves nothing behind.
 */
export function preparedWrite(
  caller: Caller,
  database: Database,
  properties: Record<string, unknown>,
): () => Record<string, Value> {
  const pending = Object.entries(properties).map(([name, given]): [string, Pending] => {
    const property = caller.properties(database).find((each) => isNamed(each, name));
    if (!property) throw invalid(`${name} is not a property that exists.`);
    return [property.id, prepared(caller, database, property, given)];
  });
  return () => Object.fromEntries(pending.map(([id, carryOut]) => [id, carryOut()]));
}

function prepared(caller: Caller, database: Database, property: Property, given: unknown): Pending {
  const { type } = property;
  if (!isWritableType(type))
    throw invalid(`${property.name} is of type ${type}, which cannot be updated through the API.`);
  const members = typeof given === 'object' && given !== null ? Object.keys(given) : [];
  if (!members.includes(type)) throw invalid(`${property.name} is expected to be ${type}.`);
  const shape = z.strictObject({
    id: z.string().optional(),
    type: z.literal(type).optional(),
    [type]: z.unknown(),
  });
  const where = `body.properties.${property.name}`;
  const content = check(shape, given, where)[type];
  const parse = <T>(schema: z.ZodType<T>) => check(schema, content, `${where}.${type}`);
  const done =
    (value: Value): Pending =>
    () =>
      value;

  switch (type) {
    case 'title':
    case 'rich_text':
      return done({ type: 'text', items: storedRichText(caller, parse(CONTENT_SCHEMAS[type])) });
    case 'number':
      return done({ type: 'number', number: parse(CONTENT_SCHEMAS[type]) });
    case 'checkbox':
      return done({ type: 'checkbox', checked: parse(CONTENT_SCHEMAS[type]) });
    case 'url':
    case 'email':
    case 'phone_number':
      return done({ type: 'string', string: parse(CONTENT_SCHEMAS[type]) });
    case 'date': {
      const date = parse(CONTENT_SCHEMAS[type]);
      return done({
        type: 'date',
        date: date && { start: date.start, end: date.end ?? null, time_zone: date.time_zone ?? null },
      });
    }
    case 'status': {
      const option = parse(CONTENT_SCHEMAS[type]);
      return done({ type: 'option', id: option && existing(property, option, true).id });
    }
    case 'select': {
      const option = parse(CONTENT_SCHEMAS[type]);
      const find = option && preparedOption(caller, database, property, option);
      return () => ({ type: 'option', id: find ? find().id : null });
    }
    case 'multi_select': {
      const finds = parse(CONTENT_SCHEMAS[type]).map((each) =>
        preparedOption(caller, database, property, each),
      );
      return () => ({ type: 'options', ids: [...new Set(finds.map((find) => find().id))] });
    }
    case 'people':
      return done({
        type: 'people',
        ids: unique(parse(CONTENT_SCHEMAS[type]).map((each) => personId(caller, each.id, each.object))),
      });
    case 'relation':
      return done({
        type: 'relation',
        ids: unique(parse(CONTENT_SCHEMAS[type]).map((each) => relatedId(caller, property, each.id))),
      });
    case 'files':
      return done({
        type: 'files',
        files: parse(CONTENT_SCHEMAS[type]).map((file) =>
          'external' in file
            ? { name: file.name, url: file.external.url, external: true }
            : { name: file.name, url: file.file.url, external: false },
        ),
      });
  }
}

/** A select accepts an unknown name as a new option. This checks it now; the option is added later. */
function preparedOption(
  caller: Caller,
  database: Database,
  property: Property,
  given: OptionRequest,
): () => Option {
  if (given.id !== undefined || given.name === undefined) {
    const option = existing(property, given, false);
    return () => option;
  }
  const { name, color } = given;
  return () =>
    optionsOf(property).find((each) => each.name === name) ??
    addNamedOption(caller.world, database, caller.author, { property, name, ...(color && { color }) });
}

function existing(property: Property, given: OptionRequest, isStatus: boolean): Option {
  const option = optionsOf(property).find((each) =>
    given.id ? each.id === given.id : each.name === given.name,
  );
  if (option) return option;
  const named = given.name ?? given.id;
  throw invalid(
    isStatus
      ? `Invalid status option. Status option "${named}" does not exist.`
      : `Invalid option. ${property.type} option "${named}" does not exist.`,
  );
}

function personId(caller: Caller, given: string, object: 'user' | 'group' = 'user'): string {
  const id = toId(given, 'id');
  const found = caller.members.find((each) => each.id === id);
  if (!found || (found.role === 'group') !== (object === 'group')) throw notFound(object, id);
  return id;
}

function relatedId(caller: Caller, property: Property, given: string): string {
  const row = caller.requirePage(given);
  if (property.type !== 'relation' || row.dataSourceId !== property.dataSourceId)
    throw invalid(
      `${property.name} cannot point at the page ${row.id}: it is not in the related data source.`,
    );
  return row.id;
}

/** Converts rich text from a request to its stored form. */
export function storedRichText(caller: Caller, items: RichTextRequest[]): RichText[] {
  const filled = items.filter((item) => !('text' in item) || item.text.content !== '');
  return filled.map((item) => ({
    ...(item.annotations && { annotations: item.annotations }),
    ...storedItem(caller, item),
  }));
}

function storedItem(caller: Caller, item: RichTextRequest): RichText {
  if ('text' in item) return { kind: 'text', text: item.text.content, link: item.text.link?.url ?? null };
  if ('equation' in item) return { kind: 'equation', expression: item.equation.expression };
  const { mention } = item;
  if ('user' in mention) return { kind: 'user', id: personId(caller, mention.user.id) };
  if ('page' in mention) return { kind: 'page', id: caller.requirePage(mention.page.id).id };
  if ('database' in mention) return { kind: 'database', id: caller.requireDatabase(mention.database.id).id };
  const { start, end, time_zone } = mention.date;
  return { kind: 'date', date: { start, end: end ?? null, time_zone: time_zone ?? null } };
}

function unique(ids: string[]): string[] {
  return [...new Set(ids)];
}
