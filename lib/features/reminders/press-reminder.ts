import { db } from '@/lib/db/database';
import type { NotionDatabase } from '@/lib/db/generated/client';
import { clockOf } from '../calendar/clock-of';
import { moveDate } from '../calendar/move-date';
import type { DeferredAnswer } from '../tasks/interactions';
import { requireDatabase } from '../tasks/queries';
import type { Work } from '../tasks/schema';
import { TaskProblem } from '../tasks/task-problem';
import { type Changed, changeOnce } from './change-once';
import { completeStatusValue, requireStatus } from './complete-status';
import type { Value } from './kept-change';
import { requireReminder } from './require-presser';

type Asked = Work<'remind'>;

const IN_DAYS = { tomorrow: 1, week: 7 };

/**
 * Carries out a reminder's button, once, so that it can be undone, and brings its card up to date. Throws TaskProblem.
 */
export async function pressReminder(answer: DeferredAnswer, asked: Asked): Promise<Changed> {
  const { member, databaseId, propertyId } = await requireReminder(answer, asked);
  if (databaseId !== asked.databaseId) throw new TaskProblem('reminder_gone');
  const database = await requireDatabase(member, databaseId);
  const { pageId, what, messageId } = asked;
  const card = messageId === null ? null : { channelId: answer.channelId, messageId };
  const target =
    what === 'done'
      ? ({ propertyId: requireStatus(database).id, kind: 'status' } as const)
      : ({ propertyId, kind: 'date' } as const);
  const at = { pageId, database, card, elsewhere: 'reminder_gone' as const };
  return changeOnce(answer, member, { ...at, ...target }, (held) =>
    next(held, what, { database, answer, member }),
  );
}

interface At {
  database: NotionDatabase;
  answer: DeferredAnswer;
  member: { accountId: string };
}

/** A property's new value: the first status for finished work, or the date moved by the account's clock. */
async function next(held: Value, what: Asked['what'], { database, answer, member }: At): Promise<Value> {
  if (what === 'done') return completeStatusValue(database);
  const account = await db().account.findUniqueOrThrow({ where: { id: member.accountId } });
  const { timeZone } = clockOf(account);
  const from = held.kind === 'date' ? held.date : null;
  const day = { inDays: IN_DAYS[what], timeZone, now: answer.receivedAt };
  return { kind: 'date', date: moveDate(from, day) };
}
