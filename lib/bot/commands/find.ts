import { texts } from '@/lib/bot-texts';
import { answerLater } from '@/lib/features/tasks/interactions';
import { requireMember } from '@/lib/features/tasks/member';
import type { CommandCall } from '../interaction';
import { deferredReply, privateReply } from '../reply';

/** `/notion find`: searches pages by title. */
export async function find(call: CommandCall) {
  const member = await requireMember(call.guildId, call.userId);
  const text = call.options.get('title')?.trim() ?? '';
  // Notion would list every page.
  if (!text) return privateReply(texts.findMissing);
  await answerLater(call, member, { kind: 'find', text });
  return deferredReply;
}
