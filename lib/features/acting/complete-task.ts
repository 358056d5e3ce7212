import { type Changed, changeOnce } from '../reminders/change-once';
import { completeStatusValue, requireStatus } from '../reminders/complete-status';
import type { DeferredAnswer } from '../tasks/interactions';
import { requireMember } from '../tasks/member';
import { requireDatabase } from '../tasks/queries';
import type { Work } from '../tasks/schema';

/**
 * Gives a task the first status for finished work, once, so that it can be undone, and brings its card up to date.
 * Throws TaskProblem.
 */
export async function completeTask(
  answer: DeferredAnswer,
  { pageId, databaseId, messageId }: Work<'complete'>,
): Promise<Changed> {
  const member = await requireMember(answer.guildId, answer.userId);
  const database = await requireDatabase(member, databaseId);
  const { id: propertyId } = requireStatus(database);
  const card = messageId === null ? null : { channelId: answer.channelId, messageId };
  const status = { propertyId, kind: 'status' as const };
  const target = { pageId, database, ...status, card, elsewhere: 'page_elsewhere' as const };
  return changeOnce(answer, member, target, () => completeStatusValue(database));
}
