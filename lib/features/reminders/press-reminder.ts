import { db } from '@/lib/db/database';
import type { NotionDatabase } from '@/lib/db/generated/client';
import { clockOf } from '../calendar/clock-of';
import { moveDate } from '../calendar/move-date';
import { findWrite } from '../changes/page-writes';
import { write } from '../tasks/change-task';
import type { DeferredAnswer } from '../tasks/interactions';
import type { ChatWork } from '../tasks/schema';
import { toTaskDatabase } from '../tasks/task-database';
import { TaskProblem } from '../tasks/task-problem';
import { type Held, isSame, readHeld, sayValue, toNotion } from './held-value';
import { findChange, keepChange, type Value } from './kept-change';
import { requireDatabase, requireReminder } from './who-may';

type Asked = Extract<ChatWork, { kind: 'remind' }>;

/** The value of a page's property after somebody pressed a button. */
export interface Pressed {
  page: { title: string; url: string };
  property: string;
  /** In words, escaped. */
  value: string;
  /** False if it had this value before. */
  isChanged: boolean;
}

const IN_DAYS = { tomorrow: 1, week: 7 };

/**
 * Carries out a reminder's button, once: a repeated job finds what the earlier one was about to write. The old value is
 * kept first, so that the change can be undone. Throws TaskProblem.
 */
export async function pressReminder(answer: DeferredAnswer, asked: Asked): Promise<Pressed> {
  const { member, databaseId, propertyId } = await requireReminder(answer, asked.ruleId);
  if (databaseId !== asked.databaseId) throw new TaskProblem('reminder_gone');
  const database = await requireDatabase(member, databaseId);
  const { pageId, what } = asked;
  const target =
    what === 'done'
      ? ({ propertyId: statusOf(database).id, kind: 'status' } as const)
      : ({ propertyId, kind: 'date' } as const);
  const held = await readHeld(member, { pageId, database, ...target });
  const kept = await findChange(answer.id);
  const wanted = kept?.wrote ?? (await next(held.value, what, { database, answer, member }));
  const say = (isChanged: boolean): Pressed => ({
    page: held.page,
    property: held.property.name,
    value: sayValue(wanted, database),
    isChanged,
  });
  if (isSame(held.value, wanted)) return say(kept !== null);
  if (kept && (await findWrite(answer.id))?.writtenAt) return say(true);
  if (kept && !isSame(held.value, kept.before)) throw new TaskProblem('changed_meanwhile');
  await keepChange(answer.id, member, {
    pageId,
    databaseId,
    propertyId: target.propertyId,
    before: held.value,
    wrote: wanted,
  });
  await write(answer, held, { propertyId: target.propertyId, value: toNotion(wanted) });
  return say(true);
}

function statusOf(database: NotionDatabase) {
  const task = toTaskDatabase(database);
  if (!task) throw new TaskProblem('database_gone');
  return task.status;
}

interface At {
  database: NotionDatabase;
  answer: DeferredAnswer;
  member: { accountId: string };
}

/** A property's new value: the first status for finished work, or the date moved by the account's clock. */
async function next(
  held: Held['value'],
  what: Asked['what'],
  { database, answer, member }: At,
): Promise<Value> {
  if (what === 'done') {
    const done = statusOf(database).options.find(({ isComplete }) => isComplete);
    if (!done) throw new TaskProblem('no_complete_status');
    return { kind: 'status', optionId: done.id };
  }
  const account = await db().account.findUniqueOrThrow({ where: { id: member.accountId } });
  const { timeZone } = clockOf(account);
  const from = held.kind === 'date' ? held.date : null;
  const day = { inDays: IN_DAYS[what], timeZone, now: answer.receivedAt };
  return { kind: 'date', date: moveDate(from, day) };
}
