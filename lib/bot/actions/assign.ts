import { texts } from '@/lib/bot-texts';
import { answerLater } from '@/lib/features/tasks/interactions';
import { requireLinkedMember } from '@/lib/features/tasks/member';
import { getTaskDatabase } from '@/lib/features/tasks/queries';
import { toTaskTarget } from '@/lib/features/tasks/task-target';
import type { ComponentCall } from '../interaction';
import { deferredReply, privateReply } from '../reply';

/** **Assign to me** on a card or below a reply. */
export async function assign(call: ComponentCall) {
  const target = toTaskTarget(call.args);
  if (!target) return privateReply(texts.unknownControl);
  const member = await requireLinkedMember(call.guildId, call.userId);
  await getTaskDatabase(member, target.databaseId);
  await answerLater(call, member, {
    kind: 'assign',
    ...target,
    messageId: call.messageId,
    assignee: null,
    isOfRule: false,
  });
  return deferredReply;
}
