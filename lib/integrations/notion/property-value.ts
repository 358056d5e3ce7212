import { z } from 'zod';
import { hash } from '@/lib/crypto';
import { DAY_LENGTH, dayInWords } from '@/lib/time';
import { boundValue } from './bounded-value';
import { notionIdSchema } from './notion-id';
import { withOffset } from './with-offset';

/** A property's value, reduced to what comparing it and drawing a card require. */
export interface PropertyValue {
  type: string;
  /**
   * What `isSameValue` compares; a hash if it would be long. Options and people are compared by id, so renaming one is
   * not a change.
   */
  key: string;
  /**
   * For a rolled-up list, the hash of its whole text; for a place, its name; for a time in a named zone, that time
   * without its offset. Older versions stored it as the key, so `isSameValue` compares it with such values and with
   * texts.
   */
  textKey?: string;
  /**
   * The beginning of the value as text; empty when there is no value. A date without time is in words. A time is in
   * ISO 8601, for `rewriteInstants`: readers see it in their own time zone.
   */
  text: string;
  /**
   * More of a text that is longer, for conditions. Only a page that has just been read has it: it is not stored, because
   * it may be very long.
   */
  longText?: string;
  /** The ids of the first Notion users, for people properties, created/edited by, and rolled-up lists of these. */
  userIds?: string[];
  /** Their names in the same order; empty where Notion gives none. */
  userNames?: string[];
  /** How many there are, if more than are listed. */
  userCount?: number;
  /** The ids among them that are of groups of people; absent without any. */
  groupIds?: string[];
  /** Colour of a status or select option. */
  color?: string;
  /** Option id of a status. */
  optionId?: string;
  /** The ids of the first options of a multi-select, or of the first pages of a relation. */
  ids?: string[];
  /**
   * The type of a formula's or rollup's result, such as `number`; `unsupported` and `incomplete` if Notion has none.
   */
  result?: string;
  /** Whether Notion returned only the beginning of a list. */
  isCut?: boolean;
}

const richText = z.array(z.object({ plain_text: z.string().catch('') })).catch([]);
const option = z.object({
  id: z.string().catch(''),
  name: z.string().catch(''),
  color: z.string().optional().catch(undefined),
});
const user = z.object({
  id: notionIdSchema,
  name: z.string().nullish(),
  object: z.string().optional().catch(undefined),
});
const date = z.object({
  start: z.string(),
  end: z.string().nullish(),
  time_zone: z.string().nullish().catch(null),
});
const place = z.object({
  name: z.string().nullish(),
  address: z.string().nullish(),
  lat: z.number().nullish(),
  lon: z.number().nullish(),
});

const typedSchema = z.looseObject({ type: z.string() });

type Read = (value: unknown) => Omit<PropertyValue, 'type'>;

const plain = (text: string) => ({ key: text, text });
const empty = plain('');
const join = (texts: string[]) => texts.filter(Boolean).join(', ');
const orEmpty = <T>(schema: z.ZodType<T>, read: (value: T) => ReturnType<Read>): Read => {
  return (value) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? read(parsed.data) : empty;
  };
};

// The order in which people, tags or relations were added is not part of the value.
const keyOf = (ids: string[]) => [...ids].sort().join(',');

const dateText = (iso: string) => (iso.length > DAY_LENGTH ? iso : dayInWords(iso));

const string = orEmpty(z.string(), plain);
const texts = orEmpty(richText, (parts) => plain(parts.map((part) => part.plain_text).join('')));
const yesOrNo = orEmpty(z.boolean(), (value) => plain(value ? 'Yes' : 'No'));

const people = orEmpty(z.array(user), (list) => {
  const groups = list.filter(({ object }) => object === 'group');
  return {
    key: keyOf(list.map(({ id }) => id)),
    text: join(list.map(({ name }) => name ?? '')),
    userIds: list.map(({ id }) => id),
    userNames: list.map(({ name }) => name ?? ''),
    ...(groups.length > 0 && { groupIds: groups.map(({ id }) => id) }),
  };
});

const oneOption = orEmpty(option, ({ id, name, color }) => ({
  key: id || name,
  text: name,
  color,
  optionId: id || undefined,
}));

const readPlace = orEmpty(place, ({ name, address, lat, lon }) => {
  const at = lat == null || lon == null ? '' : `${lat}, ${lon}`;
  const text = name || address || at;
  return { key: text && JSON.stringify([at, name || null, address || null]), text, textKey: name ?? '' };
});

const READERS: Record<string, Read> = {
  title: texts,
  rich_text: texts,
  number: orEmpty(z.number(), (value) => plain(String(value))),
  select: oneOption,
  status: oneOption,
  multi_select: orEmpty(z.array(option), (list) => ({
    key: keyOf(list.map(({ id, name }) => id || name)),
    text: join(list.map(({ name }) => name)),
    ids: list.map(({ id }) => id),
  })),
  date: orEmpty(date, ({ start, end, time_zone = null }) => {
    const given = [start, end ?? ''];
    const times = given.map((each) => withOffset(each, time_zone));
    const [key, textKey] = [times, given].map((each) => each.join('/')) as [string, string];
    const text = times.filter(Boolean).map(dateText).join(' → ');
    return { key, ...(textKey !== key && { textKey }), text };
  }),
  people,
  created_by: orEmpty(user, (value) => people([value])),
  last_edited_by: orEmpty(user, (value) => people([value])),
  checkbox: yesOrNo,
  url: string,
  email: string,
  phone_number: string,
  created_time: string,
  last_edited_time: string,
  files: orEmpty(z.array(z.object({ name: z.string() })), (list) =>
    plain(join(list.map(({ name }) => name))),
  ),
  relation: orEmpty(z.array(z.object({ id: notionIdSchema })), (list) => ({
    key: keyOf(list.map(({ id }) => id)),
    text: list.length === 0 ? '' : `${list.length} linked ${list.length === 1 ? 'page' : 'pages'}`,
    ids: list.map(({ id }) => id),
  })),
  unique_id: orEmpty(z.object({ prefix: z.string().nullish(), number: z.number() }), ({ prefix, number }) =>
    plain(prefix ? `${prefix}-${number}` : String(number)),
  ),
  verification: orEmpty(z.object({ state: z.string() }), ({ state }) => plain(state)),
  place: (value) => ({ textKey: '', ...readPlace(value) }),
  boolean: yesOrNo,
  string,
  formula: nested,
  rollup: nested,
  array: orEmpty(z.array(z.unknown()), (list) => {
    const items = list.map(nested);
    const text = join(items.map((item) => item.text));
    // As older versions stored it, which knew a place only by its name.
    const keys = items.map(({ key, textKey = key }) => textKey);
    return { key: join(keys), text, textKey: hash(text), ...peopleOf(items) };
  }),
};

/** The people of a rolled-up list in which every item is people. */
function peopleOf(items: ReturnType<Read>[]): Pick<PropertyValue, 'userIds' | 'userNames'> {
  const lists = items.flatMap(({ userIds, userNames = [] }) => (userIds ? [{ userIds, userNames }] : []));
  if (lists.length === 0 || lists.length < items.length) return {};
  return {
    userIds: lists.flatMap(({ userIds }) => userIds),
    userNames: lists.flatMap(({ userNames }) => userNames),
  };
}

// A formula, a rollup and each item of a rolled-up array state the type of their content.
function nested(value: unknown): ReturnType<Read> {
  const typed = typedSchema.safeParse(value);
  if (!typed.success) return empty;
  const { type } = typed.data;
  const read = READERS[type];
  return read ? read(typed.data[type]) : empty;
}

// The lists of which a page contains only the first 25 items.
const CUT_TYPES = ['title', 'rich_text', 'people', 'relation'];
const MAX_GIVEN = 25;
const RESULTING = ['formula', 'rollup'];
const UNCOMPUTED = ['unsupported', 'incomplete'];

function isCutShort({ type, ...rest }: { type: string; [key: string]: unknown }): boolean {
  const list = rest[type];
  if (!CUT_TYPES.includes(type) || !Array.isArray(list)) return false;
  return typeof rest.has_more === 'boolean' ? rest.has_more : list.length >= MAX_GIVEN;
}

/** Reduces one property of a page. A type that Notion adds later reads as empty and is never an error. */
export function toPropertyValue(property: unknown): PropertyValue {
  const { data } = typedSchema.safeParse(property);
  const result = resultOf(property);
  const value = boundValue({
    type: data?.type ?? 'unknown',
    ...(isUncomputed({ result }) ? empty : nested(property)),
    ...(result && { result }),
  });
  return data && isCutShort(data) ? { ...value, isCut: true } : value;
}

/** The type of a formula's or rollup's result. A list in which Notion could not compute an item counts as that item. */
function resultOf(value: unknown): string | undefined {
  const { data } = typedSchema.safeParse(value);
  const result =
    data && RESULTING.includes(data.type) ? typedSchema.safeParse(data[data.type]).data : undefined;
  const items = result && Array.isArray(result[result.type]) ? (result[result.type] as unknown[]) : [];
  return items.map(resultOf).find((each) => isUncomputed({ result: each })) ?? result?.type;
}

/** A list that Notion returned in parts. It is only ever compared. */
export function toListValue(type: string, items: unknown[]): PropertyValue {
  const value = nested({ type, [type]: items });
  return boundValue({ type, ...value, key: hash(value.key) });
}

/** Whether Notion could not compute the value of a formula or rollup: what it would be is unknown. */
export const isUncomputed = ({ result = '' }: { result?: string | undefined }): boolean =>
  UNCOMPUTED.includes(result);
