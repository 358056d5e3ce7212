import { UnknownKeyError } from '@/lib/crypto';
import { db, isUniqueViolation, transaction } from '@/lib/db/database';
import type { ChatInteraction, NotionWorkspace } from '@/lib/db/generated/client';
import { getPage, type Page } from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { createPage, listPagesCreatedSince, type NewPage } from '@/lib/integrations/notion/notion-write';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { echoMade, keepEcho } from '../echoes/keep-echo';
import { withNotion } from '../workspaces/notion-access';
import { refreshKeptDatabase } from '../workspaces/refresh-database';
import { forgetWrite, nameCreatedPage, recordWrite } from '../writes/page-writes';
import { askNotion, isOutOfDate, keyMissing, toTaskProblem, whyPeopleRefused } from './ask-notion';
import type { DeferredAnswer } from './interactions';
import { type Member, workspaceOf } from './member';
import { type ChatPage, getTaskDatabase, toChatPage } from './queries';
import type { TaskDraft } from './schema';
import type { TaskDatabase } from './task-database';
import { TaskProblem } from './task-problem';

// Notion may work on a request for 60 seconds, also when nobody waits for its answer any more.
// https://developers.notion.com/reference/request-limits
const UNANSWERED_MS = 65 * SECOND_MS;
// What Notion has answered with an error of its own is carried out within this time or not at all.
const ANSWERED_MS = 5 * SECOND_MS;
const SEARCH_EVERY_MS = 5 * SECOND_MS;
// Enough for a second attempt.
const SEARCH_FOR_MS = 2 * MINUTE_MS;
const GATEWAY_TIMEOUT = 504;

export interface CreatedTask {
  page: ChatPage;
  /** The Discord user whom the author chose as assignee, if that user is not linked. */
  unlinkedAssigneeId: string | null;
}

/**
 * Creates a task for an interaction, once: if the outcome of an attempt is unknown, searches Notion for its page before
 * trying again. Throws TaskProblem.
 */
export async function createTask(
  member: Member,
  answer: DeferredAnswer,
  databaseId: string,
  draft: TaskDraft,
): Promise<CreatedTask> {
  const workspace = await workspaceOf(member);
  const database = await getTaskDatabase(member, databaseId);
  const assignee = await findAssignee(member, draft.assigneeId);
  const page = await createOnce(workspace, answer, { database, draft, assignee });
  if (draft.message) await echoMade(workspace, page, madeDoneBy(page, draft, { answer, database }));
  await db().account.updateMany({
    where: { id: member.accountId, firstTaskAt: null },
    data: { firstTaskAt: new Date() },
  });
  return {
    page: toChatPage(page, [database], database.name),
    unlinkedAssigneeId: draft.assigneeId && !assignee ? draft.assigneeId : null,
  };
}

/** The Discord user who chose the status in the form, unless the status is another by now; null when unknown. */
function madeDoneBy(
  page: Page,
  { statusId }: TaskDraft,
  { answer, database }: { answer: DeferredAnswer; database: TaskDatabase },
): string | null {
  const isAsChosen = statusId !== null && page.values.get(database.status.id)?.optionId === statusId;
  return isAsChosen ? answer.userId : null;
}

interface NewTask {
  database: TaskDatabase;
  draft: TaskDraft;
  /** The id of a Notion user. */
  assignee: string | null;
}

async function createOnce(workspace: NotionWorkspace, answer: DeferredAnswer, task: NewTask): Promise<Page> {
  const { database, draft } = task;
  const progress = await db().chatInteraction.findUnique({ where: { id: answer.id } });
  if (!progress) throw new TaskProblem('not_connected');
  const earlier = progress.pageId ?? (await findMade(workspace, database, draft, progress.createStartedAt));
  if (earlier) return takeOver(workspace, answer, task, earlier);
  if (!hasRoomFor(draft, database)) throw new TaskProblem('database_changed');
  const uncertainMs = uncertainFor(progress);
  if (uncertainMs > 0) throw unconfirmed(uncertainMs);
  await recordWrite(workspace.id, answer, { pageId: null, propertyId: null });
  const createStartedAt = progress.createStartedAt ?? new Date();
  await noteAttempt(answer, { createStartedAt, createEndsAt: inMs(UNANSWERED_MS) });
  try {
    const newPage = toNewPage(task);
    const page = await withNotion(workspace, (token) => createPage(token, newPage));
    await attach(workspace, answer, task, page.id);
    return page;
  } catch (error) {
    if (error instanceof NotionError && error.committedId) {
      return takeOver(workspace, answer, task, error.committedId);
    }
    if (error instanceof NotionError && error.mayBeDone) {
      const { retryAfterMs } = toTaskProblem(error);
      if (!isAnswered(error)) throw unconfirmed(retryAfterMs ?? SEARCH_EVERY_MS);
      await noteAttempt(answer, { createStartedAt, createEndsAt: inMs(ANSWERED_MS) });
      throw new TaskProblem('maybe_created', retryAfterMs);
    }
    const problem = refusalOf(error);
    // Refused before anything was created: there is no page to search for, and no event will come.
    await noteAttempt(answer, progress);
    if (!progress.createStartedAt) await forgetWrite(answer.id);
    if (!isOutOfDate(problem)) throw problem;
    const told = await whyPeopleRefused(problem, workspace, task.assignee === null ? [] : [task.assignee]);
    if (told !== problem) throw told;
    await refreshKeptDatabase({ workspaceId: workspace.id, databaseId: database.id });
    throw new TaskProblem(problem.reason === 'page_gone' ? 'database_gone' : problem.reason);
  }
}

/** Why nothing was created. Throws any other error. */
function refusalOf(error: unknown): TaskProblem {
  if (error instanceof UnknownKeyError) return keyMissing();
  if (error instanceof NotionError) return toTaskProblem(error);
  throw error;
}

/** Whether the database still has everything that the form asked for and that was filled in. */
function hasRoomFor({ statusId, due, assigneeId }: TaskDraft, database: TaskDatabase): boolean {
  if (statusId && !database.status.options.some(({ id }) => id === statusId)) return false;
  return !(due && !database.due) && !(assigneeId && !database.people);
}

async function takeOver(
  workspace: NotionWorkspace,
  answer: DeferredAnswer,
  task: NewTask,
  pageId: string,
): Promise<Page> {
  await attach(workspace, answer, task, pageId);
  return askNotion(workspace, (token) => getPage(token, pageId)).catch(throwUnknown);
}

/** Whatever Notion refuses to show after an attempt, the page may exist. */
function throwUnknown(error: unknown): never {
  throw error instanceof TaskProblem ? new TaskProblem('maybe_created', error.retryAfterMs) : error;
}

type Attempts = Pick<ChatInteraction, 'createStartedAt' | 'createEndsAt'>;

/** For how many milliseconds Notion may still carry out an earlier attempt; not positive when it cannot any more. */
function uncertainFor({ createStartedAt, createEndsAt }: Attempts): number {
  if (!createStartedAt) return 0;
  const endsAtMs = createEndsAt?.getTime() ?? createStartedAt.getTime() + UNANSWERED_MS;
  return endsAtMs - Date.now();
}

const isAnswered = ({ status, isUnreadable }: NotionError) =>
  status !== 0 && status !== GATEWAY_TIMEOUT && !isUnreadable;

/** Notion may still create the task, so that it has to be searched for again. */
const unconfirmed = (uncertainMs: number) =>
  new TaskProblem('maybe_created', Math.min(uncertainMs, SEARCH_EVERY_MS), SEARCH_FOR_MS);

const inMs = (ms: number) => new Date(Date.now() + ms);

async function noteAttempt(
  { id }: DeferredAnswer,
  { createStartedAt, createEndsAt }: Attempts,
): Promise<void> {
  await db().chatInteraction.update({ where: { id }, data: { createStartedAt, createEndsAt } });
}

/** The page that an earlier attempt created: by our bot, with the same title, and of no other interaction. */
async function findMade(
  workspace: NotionWorkspace,
  database: TaskDatabase,
  draft: TaskDraft,
  since: Date | null,
): Promise<string | null> {
  if (!since) return null;
  const recent = await askNotion(workspace, (token) =>
    listPagesCreatedSince(token, database.id, since),
  ).catch(throwUnknown);
  const ours = recent.filter(
    ({ createdBy, title }) => createdBy === workspace.botId && title === draft.title,
  );
  const taken = await db().chatInteraction.findMany({
    where: { pageId: { in: ours.map(({ id }) => id) } },
    select: { pageId: true },
  });
  return ours.find(({ id }) => !taken.some(({ pageId }) => pageId === id))?.id ?? null;
}

/**
 * Records which page was made, and for which message. Throws TaskProblem when another interaction with the same title
 * has taken the page meanwhile, so that its own is looked for.
 */
async function attach(
  { id: workspaceId, accountId }: NotionWorkspace,
  { id, guildId }: DeferredAnswer,
  { database, draft: { message } }: NewTask,
  pageId: string,
): Promise<void> {
  await transaction(async (tx) => {
    const made = { accountId, workspaceId, guildId, pageId, databaseId: database.id };
    if (message) await keepEcho(tx, made, message);
    await tx.chatInteraction.update({ where: { id }, data: { pageId } });
    await nameCreatedPage(tx, id, pageId);
  }).catch((error) => {
    throw isUniqueViolation(error) ? unconfirmed(SECOND_MS) : error;
  });
}

async function findAssignee({ accountId }: Member, discordUserId: string | null): Promise<string | null> {
  if (!discordUserId) return null;
  const link = await db().accountLink.findUnique({
    where: { accountId_discordUserId: { accountId, discordUserId } },
  });
  return link?.notionUserId ?? null;
}

function toNewPage({ database, draft, assignee }: NewTask): NewPage {
  const { title, status, people, due } = database;
  const properties = {
    [title.id]: { title: [{ type: 'text', text: { content: draft.title } }] },
    ...(draft.statusId && { [status.id]: { status: { id: draft.statusId } } }),
    ...(people && assignee && { [people.id]: { people: [{ id: assignee }] } }),
    ...(due && draft.due && { [due.id]: { date: { start: draft.due } } }),
  } as NewPage['properties'];
  const { description, permalink } = draft;
  const body = [{ text: description }, ...(permalink ? [{ text: permalink, link: permalink }] : [])];
  return { databaseId: database.id, properties, body };
}
