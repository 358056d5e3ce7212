import { z } from 'zod';
import { MAX_URL } from '@/lib/discord-text';
import { log } from '@/lib/log';
import { SECOND_MS } from '@/lib/time';
import { beginningOf } from './bounded-value';
import { namedEntries } from './named-entries';
import { iconSchema } from './notion-icon';
import { notionIdSchema } from './notion-id';
import { NotionError, notionCall, notionClient } from './notion-request';
import { readAll } from './read-batch';

// After this, cards do without the name.
const NAME_TIMEOUT_MS = 3 * SECOND_MS;

const optionSchema = z.object({ id: z.string(), name: z.string(), color: z.string().catch('default') });
const groupSchema = z.object({
  name: z.string(),
  color: z.string().catch('default'),
  option_ids: z.array(z.string()).catch([]),
});
const choicesSchema = z.object({
  options: z.array(optionSchema).catch([]),
  groups: z.array(groupSchema).catch([]),
});

const propertySchema = z.looseObject({ id: z.string(), type: z.string() });

const dataSourceSchema = z.object({
  object: z.literal('data_source'),
  id: notionIdSchema,
  title: z.array(z.object({ plain_text: z.string().catch('') })).catch([]),
  icon: z.unknown(),
  url: z.string().max(MAX_URL).nullish().catch(null),
  in_trash: z.boolean().catch(false),
  properties: namedEntries.pipe(z.array(z.tuple([z.string(), propertySchema]))),
});

const foundSchema = z.looseObject({ object: z.literal('data_source'), id: notionIdSchema });

const userSchema = z.object({
  id: notionIdSchema,
  type: z.string().optional().catch(undefined),
  name: z.string().nullish().catch(null),
  avatar_url: z.string().nullish().catch(null),
  person: z.object({ email: z.string().nullish() }).nullish().catch(null),
});

export interface SchemaProperty {
  id: string;
  name: string;
  type: string;
  options: { id: string; name: string; color: string }[];
  /** The unit of a number property, in words; absent for plain numbers. */
  unit?: string;
  /** Groups of a status property, in Notion's order. */
  groups: { name: string; color: string; optionIds: string[] }[];
}

/** A Notion data source. */
export interface Database {
  id: string;
  name: string;
  icon: string | null;
  url: string | null;
  isTrashed: boolean;
  /** In schema order. */
  properties: SchemaProperty[];
}

export interface WorkspaceUser {
  id: string;
  name: string;
  email: string | null;
  avatarUrl: string | null;
}

/** Every data source that is shared with the connection. Notion's index may lag behind. Throws NotionError. */
export async function listDatabases(accessToken: string): Promise<Database[]> {
  const client = notionClient(accessToken);
  const found = await readAll(
    (start_cursor, page_size) =>
      client.search({ filter: { property: 'object', value: 'data_source' }, start_cursor, page_size }),
    foundSchema,
  );
  const databases: Database[] = [];
  for (const each of found) {
    // Notion may return no more than an id and the columns.
    const whole = 'title' in each ? dataSourceSchema.safeParse(each).data : undefined;
    const database = whole ? toDatabase(whole) : await getDatabase(accessToken, each.id).catch(skip);
    if (database && !database.isTrashed) databases.push(database);
  }
  return databases;
}

// One that is gone or unreadable must not hide the others.
function skip(error: unknown): null {
  if (!(error instanceof NotionError && (error.isGone || error.isUnreadable))) throw error;
  if (error.isUnreadable) log.warn({ err: error }, 'database skipped');
  return null;
}

/** One data source with its schema. Throws NotionError. */
export async function getDatabase(accessToken: string, databaseId: string): Promise<Database> {
  const reply = await notionCall(() =>
    notionClient(accessToken).dataSources.retrieve({ data_source_id: databaseId }),
  );
  const { data } = dataSourceSchema.safeParse(reply);
  if (!data)
    throw new NotionError(200, 'unreadable_database', 'Notion returned a database of an unknown shape');
  return toDatabase(data);
}

/** Stands for the name of somebody who has none in Notion. */
export const UNNAMED_PERSON = 'Unnamed person';

/** The people of the workspace, without bots and without guests, whom Notion never lists. Throws NotionError. */
export async function listUsers(accessToken: string): Promise<WorkspaceUser[]> {
  const client = notionClient(accessToken);
  const users = await readAll(
    (start_cursor, page_size) => client.users.list({ start_cursor, page_size }),
    userSchema,
  );
  return users
    .filter(({ type }) => type !== 'bot')
    .map(({ id, name, avatar_url: avatarUrl = null, person }) => {
      return { id, name: name || UNNAMED_PERSON, email: person?.email ?? null, avatarUrl };
    });
}

/**
 * The name of one person, who may be a guest; null for a bot, and for somebody without a name. Waits for three seconds
 * at most. Throws NotionError.
 */
export async function getPersonName(accessToken: string, userId: string): Promise<string | null> {
  const client = notionClient(accessToken, NAME_TIMEOUT_MS);
  const reply = await notionCall(() => client.users.retrieve({ user_id: userId }));
  const { data: user } = userSchema.safeParse(reply);
  return (user && user.type !== 'bot' && user.name) || null;
}

/**
 * Whether a person belongs to the workspace, as a member or a guest. Waits for three seconds at most. Throws
 * NotionError.
 */
export async function isPersonThere(accessToken: string, userId: string): Promise<boolean> {
  const client = notionClient(accessToken, NAME_TIMEOUT_MS);
  try {
    const reply = await notionCall(() => client.users.retrieve({ user_id: userId }));
    // Of a former member, Notion may still tell the id alone.
    return userSchema.safeParse(reply).data?.type !== undefined;
  } catch (error) {
    if (error instanceof NotionError && error.isGone) return false;
    throw error;
  }
}

function toDatabase(raw: z.infer<typeof dataSourceSchema>): Database {
  return {
    id: raw.id,
    name: beginningOf(raw.title.map((part) => part.plain_text).join('')) || 'Untitled',
    icon: iconSchema.parse(raw.icon),
    url: raw.url ?? null,
    isTrashed: raw.in_trash,
    properties: raw.properties.map(([name, property]) => {
      const choices = choicesSchema.catch({ options: [], groups: [] }).parse(property[property.type]);
      return {
        id: property.id,
        name,
        type: property.type,
        options: choices.options,
        ...unitOf(property),
        groups: choices.groups.map((group) => ({
          name: group.name,
          color: group.color,
          optionIds: group.option_ids,
        })),
      };
    }),
  };
}

const numberSchema = z.object({ number: z.object({ format: z.string().max(100) }) });
const PLAIN = ['number', 'number_with_commas'];

/** The unit of a percentage, which Notion stores as a fraction of 1. */
export const PERCENT = '0.5 is 50 %';

/** A currency is the name of the number's format. */
function unitOf(property: unknown): { unit?: string } {
  const format = numberSchema.safeParse(property).data?.number.format;
  if (format === undefined || PLAIN.includes(format)) return {};
  return { unit: format === 'percent' ? PERCENT : format.replaceAll('_', ' ') };
}
