import { texts } from '@/lib/bot-texts';
import { answerLater } from '@/lib/features/tasks/interactions';
import { requireLinkedMember, requireMember } from '@/lib/features/tasks/member';
import { toNotionId } from '@/lib/features/tasks/task-target';
import type { ComponentCall } from '../interaction';
import { deferredReply, deferredUpdate, privateReply } from '../reply';

const MAX_SCREENS = 1000;

/** Shows a page chosen from a list, with its buttons. */
export async function openPage(call: ComponentCall) {
  const pageId = toNotionId(call.values[0]);
  if (!pageId) return privateReply(texts.unknownControl);
  const member = await requireMember(call.guildId, call.userId);
  await answerLater(call, member, { kind: 'open-page', pageId });
  return deferredReply;
}

/** Turns to another screen of the person's tasks. */
export async function turnMyTasks(call: ComponentCall) {
  const screen = Number(call.args[0]);
  if (!Number.isInteger(screen) || screen < 0 || screen > MAX_SCREENS) {
    return privateReply(texts.unknownControl);
  }
  const member = await requireLinkedMember(call.guildId, call.userId);
  await answerLater(call, member, { kind: 'my-tasks', page: screen });
  return deferredUpdate;
}
