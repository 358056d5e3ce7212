import { fitPlain } from '@/lib/discord-text';
import { linkToMessage } from '@/lib/features/tasks/interactions';
import { requireMember } from '@/lib/features/tasks/member';
import type { MessageCall } from '../interaction';
import { openTaskForm } from '../open-task-form';
import { EMPTY_DRAFT, MAX_DESCRIPTION, MAX_TITLE } from '../task-modal';

/** **Create Notion task** in a message's menu: opens the form, filled in from the message. */
export async function createFromMessage(call: MessageCall) {
  const member = await requireMember(call.guildId, call.userId);
  const { id, content, authorId } = call.message;
  const firstLine = content.split('\n').find((line) => line.trim()) ?? '';
  return openTaskForm(call, member, {
    ...EMPTY_DRAFT,
    title: fitPlain(firstLine, MAX_TITLE),
    description: fitPlain(content, MAX_DESCRIPTION),
    permalink: linkToMessage(call, id),
    message: authorId === null ? null : { channelId: call.channelId, id, authorId },
  });
}
