import type { NotionWorkspace } from '@/lib/db/generated/client';
import { getPage, type Page } from '@/lib/integrations/notion/notion-page';
import { listPeopleOf, updatePage } from '@/lib/integrations/notion/notion-write';
import { log } from '@/lib/log';
import { refreshDatabase } from '../connections/refresh-workspace';
import { refreshCard } from '../notifications/refresh-card';
import { askNotion } from './ask-notion';
import type { DeferredAnswer } from './interactions';
import { type Member, workspaceOf } from './member';
import { recordWrite } from './page-writes';
import { getTaskDatabase } from './queries';
import type { StatusOption, TaskDatabase } from './task-database';
import { TaskProblem } from './task-problem';

interface Target {
  pageId: string;
  databaseId: string;
  messageId: string | null;
}

export interface TaskChange {
  title: string;
  url: string;
  /** False when the task already was as wanted. */
  isChanged: boolean;
}

/** Adds the linked person to the people of a task and keeps the others. Throws TaskProblem. */
export async function assignTask(
  member: Member & { notionUserId: string },
  answer: DeferredAnswer,
  target: Target,
): Promise<TaskChange> {
  const { workspace, database, page } = await readTask(member, target);
  const { people } = database;
  if (!people) throw new TaskProblem('no_people_property');
  const present = await askNotion(workspace, (token) => listPeopleOf(token, page, people.id));
  const isChanged = !present.includes(member.notionUserId);
  const write = { people: [...present, member.notionUserId].map((id) => ({ id })) };
  return apply(member, answer, target, workspace, page, isChanged ? { propertyId: people.id, write } : null);
}

/** Sets the status of a task. Throws TaskProblem. */
export async function setTaskStatus(
  member: Member,
  answer: DeferredAnswer,
  target: Target & { optionId: string },
): Promise<TaskChange & { status: StatusOption }> {
  const { workspace, database, page } = await readTask(member, target);
  const status = database.status.options.find(({ id }) => id === target.optionId);
  if (!status) throw new TaskProblem('database_changed');
  const isChanged = page.values.get(database.status.id)?.optionId !== status.id;
  const change = { propertyId: database.status.id, write: { status: { id: status.id } } };
  const done = await apply(member, answer, target, workspace, page, isChanged ? change : null);
  return { ...done, status };
}

async function readTask(member: Member, { pageId, databaseId }: Target) {
  const workspace = await workspaceOf(member);
  const database: TaskDatabase = await getTaskDatabase(member, databaseId);
  const page = await askNotion(workspace, (token) => getPage(token, pageId));
  if (page.isTrashed) throw new TaskProblem('page_gone');
  if (page.databaseId !== databaseId) throw new TaskProblem('database_changed');
  return { workspace, database, page };
}

async function apply(
  member: Member,
  answer: DeferredAnswer,
  target: Target,
  workspace: NotionWorkspace,
  page: Page,
  change: { propertyId: string; write: object } | null,
): Promise<TaskChange> {
  const after = change ? await write(member, answer, workspace, page, change) : page;
  if (target.messageId) {
    await refreshCard(workspace, {
      channelId: answer.channelId,
      messageId: target.messageId,
      page: after,
      discordUserId: change ? answer.userId : null,
    });
  }
  return { title: after.title, url: after.url, isChanged: change !== null };
}

async function write(
  member: Member,
  answer: DeferredAnswer,
  workspace: NotionWorkspace,
  page: Page,
  change: { propertyId: string; write: object },
): Promise<Page> {
  await recordWrite(member, answer, { pageId: page.id, propertyId: change.propertyId });
  const properties = { [change.propertyId]: change.write } as Parameters<typeof updatePage>[2];
  try {
    return await askNotion(workspace, (token) => updatePage(token, page.id, properties));
  } catch (error) {
    if (error instanceof TaskProblem && error.reason === 'database_changed') {
      await refreshDatabase(workspace, page.databaseId ?? '').catch((err) =>
        log.warn({ err }, 'database not read after a refused write'),
      );
    }
    throw error;
  }
}
