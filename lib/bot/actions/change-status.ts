import { texts } from '@/lib/bot-texts';
import { taskTarget } from '@/lib/features/cards/buttons';
import { MAX_ENTRIES, menu } from '@/lib/features/cards/menus';
import { answerLater } from '@/lib/features/tasks/interactions';
import { requireMember } from '@/lib/features/tasks/member';
import { getTaskDatabase } from '@/lib/features/tasks/queries';
import type { StatusOption } from '@/lib/features/tasks/task-database';
import { type TaskTarget, toTaskTarget } from '@/lib/features/tasks/task-target';
import type { ComponentCall } from '../interaction';
import { progressOf, screenButtons } from '../page-view';
import { type Answer, deferredUpdate, privateReply, type Reply, update } from '../reply';

const NO_MESSAGE = '0';

/** **Change status** on a card or below a reply: offers the statuses of its database. */
export async function changeStatus(call: ComponentCall): Promise<Reply> {
  return offer(call, call.messageId ?? NO_MESSAGE, 0, privateReply);
}

/** Turns to another screen of a long list of statuses. */
export async function moreStatuses(call: ComponentCall): Promise<Reply> {
  return offer(call, toMessageId(call.args[2]), Number(call.args[3]), update);
}

/** Sets the chosen status. */
export async function setStatus(call: ComponentCall): Promise<Reply> {
  const target = toTaskTarget(call.args);
  const [optionId] = call.values;
  if (!target || !optionId) return privateReply(texts.unknownControl);
  const member = await requireMember(call.guildId, call.userId);
  await getTaskDatabase(member, target.databaseId);
  const messageId = toMessageId(call.args[2]);
  await answerLater(call, member, {
    kind: 'set-status',
    ...target,
    optionId,
    messageId: messageId === NO_MESSAGE ? null : messageId,
  });
  return deferredUpdate;
}

async function offer(
  call: ComponentCall,
  messageId: string,
  screen: number,
  reply: (answer: Answer) => Reply,
): Promise<Reply> {
  const target = toTaskTarget(call.args);
  if (!target) return privateReply(texts.unknownControl);
  const member = await requireMember(call.guildId, call.userId);
  const { status } = await getTaskDatabase(member, target.databaseId);
  return reply(statusMenu(target, messageId, status.options, screen));
}

function statusMenu(target: TaskTarget, messageId: string, options: StatusOption[], wanted: number): Answer {
  const screens = Math.max(1, Math.ceil(options.length / MAX_ENTRIES));
  const screen = Math.min(Math.max(0, Math.trunc(wanted) || 0), screens - 1);
  const shown = options.slice(screen * MAX_ENTRIES, (screen + 1) * MAX_ENTRIES);
  const choices = shown.map(({ id, name, group }) => ({ label: name, value: id, description: group }));
  const ids = `${taskTarget(target)}:${messageId}`;
  return {
    content: `${texts.chooseStatus}${progressOf(screen, screens)}`,
    components: [
      ...menu(`set-status:${ids}`, texts.statusPlaceholder, choices),
      ...screenButtons((to) => `statuses:${ids}:${to}`, screen, screens),
    ],
  };
}

const toMessageId = (text: string | undefined) => (/^\d{1,20}$/.test(text ?? '') ? String(text) : NO_MESSAGE);
