import { db, Prisma, runStatement } from '@/lib/db/database';
import type { NotionDatabase } from '@/lib/db/generated/client';
import { getPage, type Page } from '@/lib/integrations/notion/notion-page';
import { searchPages } from '@/lib/integrations/notion/notion-search';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import { inBatches } from '@/lib/queue/in-batches';
import { endsOfAddresses } from '../workspaces/words';
import { askNotion } from './ask-notion';
import { type Member, workspaceOf } from './member';
import { type TaskDatabase, toTaskDatabase } from './task-database';
import { TaskProblem } from './task-problem';

interface Due {
  text: string;
  /** In Notion's notation, which sorts by time. */
  key: string;
}

/** A page as lists in chat show it. */
export interface ChatPage {
  id: string;
  title: string;
  url: string;
  databaseName: string;
  /** Null for a page that is not a task. */
  task: { databaseId: string; status: string; due: Due | null; hasPeople: boolean } | null;
}

// How many matches a search shows; a more specific search text finds the others.
const MAX_FOUND = 10;
const MAX_BATCH = 100;

/** A database to choose, and what tells it from others of its name; null where that is not needed. */
export interface ChoosableDatabase extends Pick<NotionDatabase, 'id' | 'name'> {
  distinction: string | null;
}

/** The task databases of the member's workspace, by name. */
export async function listTaskDatabases({ workspaceId }: Member): Promise<ChoosableDatabase[]> {
  const databases = await readTaskNames(workspaceId);
  const ends = endsOfAddresses(databases);
  return databases.map(({ id, name }) => ({ id, name, distinction: ends.get(id) ?? null }));
}

/** One task database of the member's workspace. Throws TaskProblem for any other id. */
export async function getTaskDatabase({ workspaceId }: Member, databaseId: string): Promise<TaskDatabase> {
  const database = await readTaskDatabase({ workspaceId, databaseId });
  if (!database) throw new TaskProblem('database_gone');
  return database;
}

/** A database of the member's workspace. Throws TaskProblem when it is not shared any more. */
export async function requireDatabase(
  { workspaceId }: { workspaceId: string },
  id: string,
): Promise<NotionDatabase> {
  const database = await db().notionDatabase.findFirst({ where: { workspaceId, id, isShared: true } });
  if (!database) throw new TaskProblem('database_gone');
  return database;
}

/** Pages whose title contains the text, and whether more match than are listed. */
export async function searchPagesForChat(member: Member, text: string) {
  const workspace = await workspaceOf(member);
  const { pages, hasMore } = await askNotion(workspace, (token) => searchPages(token, text, MAX_FOUND));
  const names = await databaseNames(member);
  const databases = await taskDatabasesOf(member, pages);
  return {
    pages: pages.map((page) => toChatPage(page, databases, names.get(page.databaseId ?? '') ?? '')),
    hasMore,
  };
}

/** One page as it is now. Throws TaskProblem. */
export async function getChatPage(member: Member, pageId: string): Promise<ChatPage> {
  const workspace = await workspaceOf(member);
  const page = await askNotion(workspace, (token) => getPage(token, pageId));
  if (page.isTrashed) throw new TaskProblem('page_gone');
  const names = await databaseNames(member);
  return toChatPage(page, await taskDatabasesOf(member, [page]), names.get(page.databaseId ?? '') ?? '');
}

/** Those of the pages' databases that are task databases. */
async function taskDatabasesOf({ workspaceId }: Member, pages: Page[]): Promise<TaskDatabase[]> {
  const ids = [...new Set(pages.flatMap(({ databaseId }) => databaseId ?? []))];
  const found = await Promise.all(ids.map((databaseId) => readTaskDatabase({ workspaceId, databaseId })));
  return found.filter((database) => database !== null);
}

/** A page with everything that chat shows of it; a task if it is in one of the task databases. */
export function toChatPage(page: Page, databases: TaskDatabase[], databaseName: string): ChatPage {
  const database = databases.find(({ id }) => id === page.databaseId);
  return {
    id: page.id,
    title: page.title,
    url: page.url,
    databaseName,
    task: database
      ? {
          databaseId: database.id,
          status: page.values.get(database.status.id)?.text ?? '',
          due: toDue(page.values.get(database.due?.id ?? '')),
          hasPeople: database.people !== null,
        }
      : null,
  };
}

function toDue(value: PropertyValue | undefined): Due | null {
  return value?.text ? { text: value.text, key: value.key } : null;
}

async function databaseNames({ workspaceId }: Member): Promise<Map<string, string>> {
  const rows = await runStatement<{ id: string; name: string }>(Prisma.sql`
    select id, name from notion_database where workspace_id = ${workspaceId}::uuid`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

type DatabaseRow = Pick<NotionDatabase, 'workspaceId' | 'id' | 'name' | 'properties' | 'statusPropertyId'>;

// Without the schemas, which may be megabytes together: the names are read at every keystroke of somebody who looks for
// one.
const readTaskNames = inBatches(async (workspaceIds: string[]) => {
  const rows = await runStatement<Pick<NotionDatabase, 'workspaceId' | 'id' | 'name' | 'url'>>(Prisma.sql`
    select workspace_id as "workspaceId", id, name, url from notion_database
    where workspace_id = any(${[...new Set(workspaceIds)]}::uuid[]) and is_shared and status_property_id is not null
    order by name, id`);
  return workspaceIds.map((workspaceId) => rows.filter((row) => row.workspaceId === workspaceId));
}, MAX_BATCH);

/** The task databases of a workspace, by name. */
export const readTaskDatabases = inBatches(async (workspaceIds: string[]): Promise<TaskDatabase[][]> => {
  const rows = await runStatement<DatabaseRow>(Prisma.sql`
    select workspace_id as "workspaceId", id, name, properties, status_property_id as "statusPropertyId" from notion_database
    where workspace_id = any(${[...new Set(workspaceIds)]}::uuid[]) and is_shared order by name, id`);
  const lists = new Map<string, TaskDatabase[]>(workspaceIds.map((id) => [id, []]));
  for (const row of rows) {
    const database = toTaskDatabase(row);
    if (database) lists.get(row.workspaceId)?.push(database);
  }
  return workspaceIds.map((id) => lists.get(id) ?? []);
}, MAX_BATCH);

/** A task database of a workspace, or null. */
export const readTaskDatabase = inBatches(
  async (asked: { workspaceId: string; databaseId: string }[]): Promise<(TaskDatabase | null)[]> => {
    const rows = await runStatement<DatabaseRow>(Prisma.sql`
      select distinct d.workspace_id as "workspaceId", d.id, d.name, d.properties,
        d.status_property_id as "statusPropertyId"
      from unnest(${asked.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${asked.map(({ databaseId }) => databaseId)}::text[]) as asked(workspace_id, id)
      join notion_database d on d.workspace_id = asked.workspace_id and d.id = asked.id
      where d.is_shared`);
    const keyOf = (workspaceId: string, id: string) => `${workspaceId}:${id}`;
    const found = new Map(rows.map((row) => [keyOf(row.workspaceId, row.id), toTaskDatabase(row)]));
    return asked.map(({ workspaceId, databaseId }) => found.get(keyOf(workspaceId, databaseId)) ?? null);
  },
  MAX_BATCH,
);
