import { texts } from '@/lib/bot-texts';
import { completeTask } from '@/lib/features/acting/complete-task';
import { sayWritten } from '@/lib/features/acting/say-written';
import { writeComment } from '@/lib/features/acting/write-comment';
import { assignTask, setPageValue } from '@/lib/features/tasks/change-task';
import type { DeferredAnswer } from '@/lib/features/tasks/interactions';
import { requireLinkedMember, requireMember } from '@/lib/features/tasks/member';
import type { Work } from '@/lib/features/tasks/schema';
import { sayChange } from './finish-reminder';
import { pageLink } from './page-view';
import type { Answer } from './reply';

/** Assigns a page to whoever pressed the button, or to the person whom they chose. */
export async function finishAssignment(
  deferred: DeferredAnswer,
  { assignee, isOfRule, ...asked }: Work<'assign'>,
): Promise<Answer> {
  const target = { ...asked, elsewhere: isOfRule ? ('page_elsewhere' as const) : ('page_moved' as const) };
  const { guildId, userId } = deferred;
  if (!assignee) {
    const member = await requireLinkedMember(guildId, userId);
    const change = await assignTask(member, deferred, { ...target, notionUserId: member.notionUserId });
    const say = change.isChanged ? texts.assigned : texts.alreadyAssigned;
    return { content: say(pageLink(change)) };
  }
  const { notionUserId, discordUserId } = assignee;
  const change = await assignTask(await requireMember(guildId, userId), deferred, {
    ...target,
    notionUserId,
  });
  const say = change.isChanged ? texts.assignedTo : texts.alreadyAssignedTo;
  return { content: say(pageLink(change), `<@${discordUserId}>`) };
}

/** Sets a property to what somebody entered. */
export async function finishValue(deferred: DeferredAnswer, asked: Work<'set-value'>): Promise<Answer> {
  const member = await requireMember(deferred.guildId, deferred.userId);
  const { value: written, ...change } = await setPageValue(member, deferred, {
    ...asked,
    elsewhere: 'page_elsewhere',
  });
  const { name, value } = await sayWritten(member, written);
  return { content: texts.valueSet(pageLink(change), name, value) };
}

/** Marks a task as done, and offers to undo it. */
export const finishCompletion = async (deferred: DeferredAnswer, asked: Work<'complete'>): Promise<Answer> =>
  sayChange(deferred, await completeTask(deferred, asked));

/** Writes a comment on a page. */
export async function finishComment(deferred: DeferredAnswer, asked: Work<'comment'>): Promise<Answer> {
  const page = await writeComment(deferred, asked);
  return { content: texts.entry.commented(pageLink(page)) };
}
