import { setTimeout as sleep } from 'node:timers/promises';
import type { NotionWorkspace } from '@/lib/db/generated/client';
import { listAssignedPages, listSharedPages } from '@/lib/integrations/notion/notion-search';
import { SECOND_MS } from '@/lib/time';
import { askAboutDatabase, askNotion, isOutOfDate } from './ask-notion';
import { type Member, workspaceOf } from './member';
import { type ChatPage, readTaskDatabase, readTaskDatabases, toChatPage } from './queries';
import type { TaskDatabase } from './task-database';
import { TaskProblem } from './task-problem';

/** A person's open tasks in some databases. */
interface Assigned {
  tasks: ChatPage[];
  hasMore: boolean;
  /** The databases whose pages Notion did not list. */
  unread: TaskDatabase[];
}

const TASKS_PER_PAGE = 10;
const NO_TASKS: Assigned = { tasks: [], hasMore: false, unread: [] };

// A connection has three calls a second on average, which it shares with cards and with other people's commands.
const AT_ONCE = 3;
const AT_FULL_SPEED = 12;
const PAUSE_MS = SECOND_MS;
const ASK_FOR_MS = 15 * SECOND_MS;

/**
 * Open tasks of the linked person, soonest due first and undated last, as many as a message shows; `hasMore` when a
 * database has more than a hundred, `unread` are the databases that Notion did not list, `unasked` those for which
 * there was no time. Throws TaskProblem if Notion listed none, and where trying again cannot help.
 */
export async function listMyTasks(member: Member & { notionUserId: string }, screen: number) {
  const workspace = await workspaceOf(member);
  const databases = (await readTaskDatabases(member.workspaceId)).filter(({ people }) => people);
  const { lists, unread, unasked } = await askAll(await lastEditedFirst(workspace, databases), (database) =>
    listAssigned(workspace, database, member),
  );
  // A page that is moved meanwhile may be listed in two databases: the later answer counts.
  const byId = new Map(lists.flatMap((list) => list.tasks).map((task) => [task.id, task]));
  const tasks = [...byId.values()].sort((a, b) => dueKey(a).localeCompare(dueKey(b)));
  const screens = Math.max(1, Math.ceil(tasks.length / TASKS_PER_PAGE));
  const shown = Math.min(Math.max(0, screen), screens - 1);
  const from = shown * TASKS_PER_PAGE;
  return {
    tasks: tasks.slice(from, from + TASKS_PER_PAGE),
    total: tasks.length,
    hasMore: lists.some((list) => list.hasMore),
    unread: [...lists.flatMap((list) => list.unread), ...unread],
    unasked,
    screen: shown,
    screens,
  };
}

/** Puts databases in which somebody has worked lately first, if there may be no time to ask about all of them. */
async function lastEditedFirst(
  workspace: NotionWorkspace,
  databases: TaskDatabase[],
): Promise<TaskDatabase[]> {
  if (databases.length <= AT_FULL_SPEED) return databases;
  const pages = await listLatestPages(workspace);
  const latest = new Set(pages.map(({ databaseId }) => databaseId));
  const byId = new Map(databases.map((database) => [database.id, database]));
  const first = [...latest].flatMap((id) => byId.get(id ?? '') ?? []);
  return [...first, ...databases.filter(({ id }) => !latest.has(id))];
}

/** None if Notion does not answer, because the order is not worth failing for. */
async function listLatestPages(workspace: NotionWorkspace) {
  try {
    return (await askNotion(workspace, (token) => listSharedPages(token))).pages;
  } catch (error) {
    if (!(error instanceof TaskProblem)) throw error;
    return [];
  }
}

/** Asks about a few databases at a time. What Notion does not answer is asked again at the end, while there is time. */
async function askAll(databases: TaskDatabase[], ask: (database: TaskDatabase) => Promise<Assigned>) {
  const until = Date.now() + ASK_FOR_MS;
  const waiting = [...databases];
  const lists: Assigned[] = [];
  const refused = new Map<TaskDatabase, TaskProblem>();

  async function askOneAfterAnother(): Promise<void> {
    for (let database = waiting.shift(); database; database = waiting.shift()) {
      const waitMs = await ask(database).then(
        (list) => {
          lists.push(list);
          return lists.length < AT_FULL_SPEED ? 0 : PAUSE_MS;
        },
        (error) => {
          if (!(error instanceof TaskProblem) || error.retryAfterMs === undefined) throw error;
          waiting.push(database);
          refused.set(database, error);
          return error.retryAfterMs;
        },
      );
      // Before the first answer the whole job is repeated, which holds no worker meanwhile.
      if (Date.now() + waitMs >= until || lists.length === 0) return;
      if (waiting.length > 0) await sleep(waitMs);
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, askOneAfterAnother));
  const [problem] = refused.values();
  if (lists.length === 0 && problem) throw problem;
  return {
    lists,
    unread: waiting.filter((database) => refused.has(database)),
    unasked: waiting.filter((database) => !refused.has(database)),
  };
}

async function listAssigned(
  workspace: NotionWorkspace,
  database: TaskDatabase,
  member: { notionUserId: string },
): Promise<Assigned> {
  try {
    return await askForAssigned(database, member, (call) => askAboutDatabase(workspace, database.id, call));
  } catch (error) {
    if (!isOutOfDate(error)) throw error;
  }
  // It has just been read again, and its new schema may be accepted.
  const current = await readTaskDatabase({ workspaceId: workspace.id, databaseId: database.id });
  if (!current) return NO_TASKS;
  try {
    return await askForAssigned(current, member, (call) => askNotion(workspace, call));
  } catch (error) {
    if (!isOutOfDate(error)) throw error;
    // It must not hide the tasks of the others.
    return { ...NO_TASKS, unread: [current] };
  }
}

type AssignedPages = Awaited<ReturnType<typeof listAssignedPages>>;

async function askForAssigned(
  database: TaskDatabase,
  { notionUserId }: { notionUserId: string },
  ask: (call: (token: string) => Promise<AssignedPages>) => Promise<AssignedPages>,
): Promise<Assigned> {
  const { id, people, due, status } = database;
  if (!people) return NO_TASKS;
  const complete = status.options.filter(({ isComplete }) => isComplete).map(({ name }) => name);
  const query = {
    databaseId: id,
    peopleId: people.id,
    notionUserId,
    status: { id: status.id, complete },
    dueId: due?.id ?? null,
  };
  const { pages, hasMore } = await ask((token) => listAssignedPages(token, query));
  return { ...NO_TASKS, tasks: pages.map((page) => toChatPage(page, [database], database.name)), hasMore };
}

// Tasks without a date come last.
const dueKey = ({ task, title }: ChatPage) => (task?.due ? `0 ${task.due.key} ${title}` : `1 ${title}`);
