import { db } from '@/lib/db/database';
import type { NotionWorkspace } from '@/lib/db/generated/client';
import { getPageWithDate, type NotionDate } from '@/lib/integrations/notion/notion-date';
import type { NamedValue, Page } from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { listPeopleOf, updatePage } from '@/lib/integrations/notion/notion-write';
import { toPropertyValue } from '@/lib/integrations/notion/property-value';
import { asRead } from '@/lib/integrations/notion/rich-text';
import { SECOND_MS } from '@/lib/time';
import { clockOf } from '../calendar/clock-of';
import { moveToDay, toWrite } from '../calendar/move-date';
import { refreshCard } from '../composing/refresh-card';
import { schemaOf } from '../workspaces/database-schema';
import { findAssigneeProperty } from '../workspaces/task-properties';
import { findWrite, forgetWrite, markWritten, recordWrite } from '../writes/page-writes';
import { askAboutDatabase, askNotion, whyPeopleRefused } from './ask-notion';
import type { DeferredAnswer } from './interactions';
import { type Member, workspaceOf } from './member';
import { getTaskDatabase, requireDatabase } from './queries';
import type { StatusOption } from './task-database';
import { type Elsewhere, TaskProblem } from './task-problem';

const SEARCH_EVERY_MS = 3 * SECOND_MS;
/**
 * How long to look for what Notion has not confirmed. It may work on a request for 60 seconds:
 * https://developers.notion.com/reference/request-limits
 */
export const SEARCH_FOR_MS = 90 * SECOND_MS;

interface Target {
  pageId: string;
  databaseId: string;
  messageId: string | null;
  elsewhere: Elsewhere;
}

interface Task {
  workspace: NotionWorkspace;
  page: Page;
}

/** A new value of one of a page's properties. */
export interface NewValue {
  propertyId: string;
  value: object;
}

export interface TaskChange {
  title: string;
  url: string;
  /** False when the task already had this value. */
  isChanged: boolean;
}

/** Adds a Notion user to the people who work on a page, and keeps the others. Throws TaskProblem. */
export async function assignTask(
  member: Member,
  answer: DeferredAnswer,
  target: Target & { notionUserId: string },
): Promise<TaskChange> {
  const { notionUserId } = target;
  const database = await requireDatabase(member, target.databaseId);
  const people = findAssigneeProperty(schemaOf(database));
  if (!people) throw new TaskProblem('no_people_property');
  const task = await readPage(member, target);
  const present = await askNotion(task.workspace, (token) => listPeopleOf(token, task.page, people.id));
  const isChanged = !present.some(({ id }) => id === notionUserId);
  const persons = present.flatMap(({ id, object }) => (object === 'group' ? [] : [id]));
  const value = { people: [...present, { id: notionUserId }] };
  const change = isChanged ? { propertyId: people.id, value } : null;
  return apply(answer, target, task, change).catch(async (error) => {
    throw await whyPeopleRefused(error, task.workspace, [notionUserId, ...persons]);
  });
}

/**
 * Sets a property of a page to a value in Notion's format. A day moves the date that was there, with its time and its
 * end. Throws TaskProblem.
 */
export async function setPageValue(
  member: Member,
  answer: DeferredAnswer,
  target: Target & NewValue,
): Promise<TaskChange & { value: NamedValue | undefined }> {
  const { propertyId } = target;
  const { date, ...task } = await readPage(member, target, propertyId);
  const value = await keepTimes(member, target.value, date);
  const done = await apply(answer, target, task, { propertyId, value }).catch(async (error) => {
    const problem = await whyPeopleRefused(error, task.workspace, peopleIn(value));
    const isRefused = problem instanceof TaskProblem && problem.reason === 'database_changed';
    throw isRefused ? new TaskProblem('value_refused') : problem;
  });
  return { ...done, value: done.page.values.get(propertyId) };
}

/** A value with what the day of a date does not name: the time and the end that the date had. */
async function keepTimes(
  { accountId }: Member,
  value: { date?: { start: string } | null },
  before: NotionDate | null | undefined,
): Promise<object> {
  if (!value.date || !before) return value;
  const { timeZone } = clockOf(await db().account.findUniqueOrThrow({ where: { id: accountId } }));
  return { date: toWrite(moveToDay(before, value.date.start, timeZone)) };
}

const peopleIn = (value: { people?: { id: string }[] }) => (value.people ?? []).map(({ id }) => id);

/** Sets the status of a task. Throws TaskProblem. */
export async function setTaskStatus(
  member: Member,
  answer: DeferredAnswer,
  target: Target & { optionId: string },
): Promise<TaskChange & { status: StatusOption }> {
  const database = await getTaskDatabase(member, target.databaseId);
  const task = await readPage(member, target);
  const { page } = task;
  const status = database.status.options.find(({ id }) => id === target.optionId);
  if (!status) throw new TaskProblem('database_changed');
  const isChanged = page.values.get(database.status.id)?.optionId !== status.id;
  const change = { propertyId: database.status.id, value: { status: { id: status.id } } };
  const done = await apply(answer, target, task, isChanged ? change : null);
  return { ...done, status };
}

/**
 * Reads a page of a database, and the date in one of its properties, if that has one. Throws TaskProblem, also when
 * the page is in the trash or in another database.
 */
export async function readPage(
  member: Member,
  { pageId, databaseId, elsewhere }: Omit<Target, 'messageId'>,
  propertyId = '',
): Promise<Task & { date: NotionDate | null | undefined }> {
  const workspace = await workspaceOf(member);
  const { page, date } = await askNotion(workspace, (token) => getPageWithDate(token, pageId, propertyId));
  if (page.isTrashed) throw new TaskProblem('page_gone');
  if (page.databaseId !== databaseId) throw new TaskProblem(elsewhere);
  return { workspace, page, date };
}

async function apply(
  answer: DeferredAnswer,
  target: Target,
  task: Task,
  change: NewValue | null,
): Promise<TaskChange & { page: Page }> {
  // A repeated job must not overwrite what others did since its write, but still answers that it made the change.
  const earlier = await findWrite(answer.id);
  const isDue = change !== null && !earlier?.writtenAt;
  const after = isDue ? await write(answer, task, change) : task.page;
  const isChanged = isDue || earlier !== null;
  if (target.messageId) {
    await refreshCard(task.workspace, {
      channelId: answer.channelId,
      messageId: target.messageId,
      page: after,
      discordUserId: isChanged ? answer.userId : null,
      propertyId: isChanged ? (change?.propertyId ?? null) : null,
    });
  }
  return { title: after.title, url: after.url, isChanged, page: after };
}

/** Writes a property of a page for somebody in chat. Returns the page as it is afterwards. Throws TaskProblem. */
export async function write(
  answer: DeferredAnswer,
  { workspace, page }: Task,
  { propertyId, value }: NewValue,
): Promise<Page> {
  const [type] = Object.keys(value);
  const written = toPropertyValue({ type, ...asRead(value) });
  const isFirst = (await findWrite(answer.id)) === null;
  await recordWrite(workspace.id, answer, { pageId: page.id, propertyId, value: written });
  const properties = { [propertyId]: value } as Parameters<typeof updatePage>[2];
  const update = (token: string) => updatePage(token, page.id, properties).catch(unlessUnconfirmed);
  const after = await askAboutDatabase(workspace, page.databaseId ?? '', update).catch(async (error) => {
    // Refused, so that there is nothing to look for, unless an earlier attempt may have made the change.
    const isRefused = error instanceof TaskProblem && error.patienceMs === undefined;
    if (isFirst && isRefused) await forgetWrite(answer.id);
    throw error;
  });
  await markWritten(answer.id, after.values.get(propertyId));
  return after;
}

/**
 * How long it makes sense to try a change again, in milliseconds after the request, once Notion may have made it; absent
 * for the usual time.
 */
export async function patienceFor({ id }: DeferredAnswer): Promise<number | undefined> {
  const earlier = await findWrite(id);
  return earlier && !earlier.writtenAt ? SEARCH_FOR_MS : undefined;
}

/** What Notion may have written, or may still write, is looked for again. */
function unlessUnconfirmed(error: unknown): never {
  if (!(error instanceof NotionError) || !error.mayBeDone) throw error;
  throw new TaskProblem('notion_silent', error.retryAfterMs ?? SEARCH_EVERY_MS, SEARCH_FOR_MS);
}
