import { texts } from '@/lib/bot-texts';
import { requireInServer } from '@/lib/features/acting/require-in-server';
import { nameWords, titleWords } from '@/lib/features/cards/line-text';
import { pageMenu } from '@/lib/features/cards/menus';
import { patienceFor, setTaskStatus } from '@/lib/features/tasks/change-task';
import { createTask } from '@/lib/features/tasks/create-task';
import {
  type DeferredAnswer,
  type FinishJob,
  isAnswered,
  keepDraft,
  openAnswer,
} from '@/lib/features/tasks/interactions';
import { listMyTasks } from '@/lib/features/tasks/list-my-tasks';
import { requireLinkedMember, requireMember, whyRowsGone } from '@/lib/features/tasks/member';
import { getChatPage, searchPagesForChat } from '@/lib/features/tasks/queries';
import type { Work } from '@/lib/features/tasks/schema';
import { sendAnswer, sendMeanwhile } from '@/lib/features/tasks/send-answer';
import type { TaskDatabase } from '@/lib/features/tasks/task-database';
import { type ProblemReason, TaskProblem } from '@/lib/features/tasks/task-problem';
import { log } from '@/lib/log';
import { afterDoors } from '@/lib/queue/after-doors';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { giveBack, textOf } from './entered-text';
import { finishAssignment, finishComment, finishCompletion, finishValue } from './finish-action';
import { finishReminder, finishUndo, undoButton } from './finish-reminder';
import { giveUp, unconfirmed } from './give-up';
import { fillInAgain, pageButtons, pageLine, pageLink, progressOf, screenButtons } from './page-view';
import { type Answer, toMessage } from './reply';

// Discord accepts a reply for fifteen minutes.
const GIVE_UP_AFTER_MS = 14 * MINUTE_MS;
// How long a person should see "thinking" at most while Notion does not answer.
const PATIENCE_MS = 20 * SECOND_MS;
const MAX_TEXT = 100;
const MAX_NAMED = 5;

type Outcome = { done: true } | { retryInMs: number };

/**
 * Does what an interaction asked for and fills in its deferred reply: with the result, or with a sentence and a
 * reference. Safe to run again after a crash at any point.
 */
export async function finishInteraction(job: FinishJob): Promise<Outcome> {
  await afterDoors();
  const deferred = openAnswer(job);
  if (await isAnswered(deferred.id)) return { done: true };
  const ageMs = Date.now() - deferred.receivedAt.getTime();
  if (ageMs > GIVE_UP_AFTER_MS) {
    await giveUp(deferred);
    return { done: true };
  }
  const answer = await work(deferred, ageMs);
  if ('retryInMs' in answer) {
    if (ageMs >= PATIENCE_MS) await sendMeanwhile(deferred, toMessage({ content: texts.unconfirmed }));
    return answer;
  }
  const plain = { content: texts.withReference(texts.notShown, deferred.id) };
  return sendAnswer(deferred, toMessage(answer), toMessage(plain));
}

async function work(deferred: DeferredAnswer, ageMs: number): Promise<Answer | { retryInMs: number }> {
  try {
    await requireInServer(deferred);
    return await run(deferred);
  } catch (caught) {
    const error = await whyRowsGone(caught, deferred);
    if (!(error instanceof TaskProblem)) {
      log.error({ err: error, interactionId: deferred.id }, 'deferred answer failed');
      const unknown = await unconfirmed(deferred);
      const content = unknown && texts.withReference(texts.problems[unknown], deferred.id);
      return tell(deferred, content ?? texts.failed(deferred.id));
    }
    const { retryAfterMs } = error;
    if (retryAfterMs !== undefined && ageMs + retryAfterMs < (await patienceWith(error, deferred))) {
      return { retryInMs: retryAfterMs };
    }
    const reason = FOUND.includes(error.reason)
      ? error.reason
      : ((await unconfirmed(deferred)) ?? error.reason);
    log.warn({ reason, interactionId: deferred.id }, 'interaction not carried out');
    return tell(deferred, texts.withReference(texts.problems[reason], deferred.id), reason);
  }
}

/** Says that something was not carried out, and gives back what was written. */
async function tell(deferred: DeferredAnswer, content: string, reason?: ProblemReason): Promise<Answer> {
  const components = await offerAgain(deferred, reason);
  return { content, ...giveBack(textOf(deferred.work)), components };
}

/** How long to try again, in milliseconds after the request. Those who look for a new page or comment say it themselves. */
async function patienceWith({ patienceMs }: TaskProblem, deferred: DeferredAnswer): Promise<number> {
  const isChange = 'pageId' in deferred.work;
  return patienceMs ?? (isChange ? await patienceFor(deferred) : undefined) ?? PATIENCE_MS;
}

// These say what was found in Notion.
const FOUND: ProblemReason[] = ['changed_meanwhile', 'undo_gone', 'undo_done', 'undo_changed'];

/** Offers to try again: to undo, or to reopen the form with what was written, which is kept. */
async function offerAgain({ id, userId, work: asked }: DeferredAnswer, reason?: ProblemReason) {
  if (asked.kind === 'undo' && !(reason && FOUND.includes(reason))) return [undoButton(asked.undoId)];
  if (asked.kind !== 'create-task') return [];
  await keepDraft({ id, userId }, asked.draft);
  return fillInAgain(asked.databaseId, id);
}

function run(deferred: DeferredAnswer): Promise<Answer> {
  const { work: asked } = deferred;
  switch (asked.kind) {
    case 'create-task':
      return finishCreation(deferred, asked);
    case 'assign':
      return finishAssignment(deferred, asked);
    case 'set-status':
      return finishStatus(deferred, asked);
    case 'my-tasks':
      return finishMyTasks(deferred, asked);
    case 'find':
      return finishFind(deferred, asked);
    case 'open-page':
      return finishOpenPage(deferred, asked);
    case 'set-value':
      return finishValue(deferred, asked);
    case 'complete':
      return finishCompletion(deferred, asked);
    case 'comment':
      return finishComment(deferred, asked);
    case 'remind':
      return finishReminder(deferred, asked);
    case 'undo':
      return finishUndo(deferred, asked);
  }
}

async function finishCreation(deferred: DeferredAnswer, asked: Work<'create-task'>): Promise<Answer> {
  const member = await requireMember(deferred.guildId, deferred.userId);
  const { page, unlinkedAssigneeId } = await createTask(member, deferred, asked.databaseId, asked.draft);
  const sentences = [
    texts.created(pageLink(page), nameWords(page.databaseName, MAX_TEXT)),
    ...(unlinkedAssigneeId ? [texts.assigneeUnlinked(`<@${unlinkedAssigneeId}>`)] : []),
  ];
  return { content: sentences.join('\n'), components: pageButtons(page) };
}

async function finishStatus(deferred: DeferredAnswer, asked: Work<'set-status'>): Promise<Answer> {
  const member = await requireMember(deferred.guildId, deferred.userId);
  const change = await setTaskStatus(member, deferred, { ...asked, elsewhere: 'page_moved' });
  const say = change.isChanged ? texts.statusSet : texts.statusSame;
  return { content: say(pageLink(change), nameWords(change.status.name, MAX_TEXT)) };
}

async function finishMyTasks(deferred: DeferredAnswer, asked: Work<'my-tasks'>): Promise<Answer> {
  const member = await requireLinkedMember(deferred.guildId, deferred.userId);
  const { tasks, total, hasMore, unread, unasked, screen, screens } = await listMyTasks(member, asked.page);
  const missing = [namesOf(unasked, texts.tasksUnasked), sayUnread(deferred, unread)].filter(Boolean);
  if (total === 0) return { content: missing.join('\n') || texts.noTasks };
  return {
    content: [`${texts.myTasks(total, hasMore)}${progressOf(screen, screens)}`, ...missing].join('\n'),
    embeds: [{ description: tasks.map(pageLine).join('\n') }],
    components: [...pageMenu(tasks), ...screenButtons((to) => `my-tasks:${to}`, screen, screens)],
  };
}

/** Which databases Notion did not list, with a reference; null for none. */
function sayUnread({ id }: DeferredAnswer, unread: TaskDatabase[]): string | null {
  const sentence = namesOf(unread, texts.tasksUnread);
  if (sentence === null) return null;
  log.warn({ interactionId: id, databaseIds: unread.map((each) => each.id) }, 'tasks not listed');
  return texts.withReference(sentence, id);
}

/** A sentence that names these databases; null for none. */
function namesOf(databases: TaskDatabase[], say: (names: string) => string): string | null {
  const titles = databases.map(({ name }) => titleWords(name, MAX_TEXT));
  const names = texts.listed(titles, MAX_NAMED);
  return names === null ? null : say(names);
}

async function finishFind(deferred: DeferredAnswer, asked: Work<'find'>): Promise<Answer> {
  const member = await requireMember(deferred.guildId, deferred.userId);
  const { pages, hasMore } = await searchPagesForChat(member, asked.text);
  const text = nameWords(asked.text, MAX_TEXT);
  if (pages.length === 0) return { content: texts.nothingFound(text) };
  const more = hasMore ? `\n${texts.moreFound}` : '';
  return {
    content: `${texts.found(text)}${more}`,
    embeds: [{ description: pages.map(pageLine).join('\n') }],
    components: pageMenu(pages),
  };
}

async function finishOpenPage(deferred: DeferredAnswer, asked: Work<'open-page'>): Promise<Answer> {
  const member = await requireMember(deferred.guildId, deferred.userId);
  const page = await getChatPage(member, asked.pageId);
  return { content: pageLine(page), components: pageButtons(page) };
}
