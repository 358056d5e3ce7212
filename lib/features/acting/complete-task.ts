import { refreshCard } from '../changes/refresh-card';
import { type Changed, changeOnce } from '../reminders/change-once';
import { finished, requireStatus } from '../reminders/finished';
import type { DeferredAnswer } from '../tasks/interactions';
import { requireMember, workspaceOf } from '../tasks/member';
import { requireDatabase } from '../tasks/queries';
import type { ChatWork } from '../tasks/schema';

/**
 * Gives a task the first status for finished work, once, so that it can be undone, and brings its card up to date.
 * Throws TaskProblem.
 */
export async function completeTask(
  answer: DeferredAnswer,
  { pageId, databaseId, messageId }: Extract<ChatWork, { kind: 'complete' }>,
): Promise<Changed> {
  const member = await requireMember(answer.guildId, answer.userId);
  const database = await requireDatabase(member, databaseId);
  const status = requireStatus(database);
  const target = { pageId, database, propertyId: status.id, kind: 'status' as const };
  const changed = await changeOnce(answer, member, target, () => finished(database));
  if (messageId) {
    const { page, isChanged } = changed;
    const discordUserId = isChanged ? answer.userId : null;
    await refreshCard(await workspaceOf(member), {
      channelId: answer.channelId,
      messageId,
      page,
      discordUserId,
    });
  }
  return changed;
}
