import { answerLater } from '@/lib/features/tasks/interactions';
import { requireLinkedMember } from '@/lib/features/tasks/member';
import type { CommandCall } from '../interaction';
import { deferredReply } from '../reply';

/** `/notion my-tasks`: lists the open tasks of the linked person. */
export async function myTasks(call: CommandCall) {
  const member = await requireLinkedMember(call.guildId, call.userId);
  await answerLater(call, member, { kind: 'my-tasks', page: 0 });
  return deferredReply;
}
