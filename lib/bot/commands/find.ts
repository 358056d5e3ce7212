import { answerLater } from '@/lib/features/tasks/interactions';
import { requireMember } from '@/lib/features/tasks/member';
import type { CommandCall } from '../interaction';
import { deferredReply } from '../reply';

/** `/notion find`: searches pages by title. */
export async function find(call: CommandCall) {
  const member = await requireMember(call.guildId, call.userId);
  const text = call.options.get('title')?.trim() ?? '';
  await answerLater(call, member, { kind: 'find', text });
  return deferredReply;
}
