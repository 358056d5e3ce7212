import { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { requireReminder } from '@/lib/features/reminders/require-presser';
import { requireUndo } from '@/lib/features/reminders/undo-change';
import { answerLater } from '@/lib/features/tasks/interactions';
import { toNotionId } from '@/lib/features/tasks/task-target';
import { type DirectCall, inServerOf } from '../interaction';
import { deferredReply, deferredUpdate, privateReply } from '../reply';

const argsSchema = z.tuple([
  z.enum(['done', 'tomorrow', 'week']),
  z.uuid(),
  z.string(),
  z.string().optional(),
]);

/** **Done**, **Tomorrow** and **Next week** below a card that reminds of a date, in a channel or a direct message. */
export async function remind(call: DirectCall) {
  const { data: args } = argsSchema.safeParse(call.args);
  const pageId = toNotionId(args?.[2]);
  if (!args || !pageId) return privateReply(texts.unknownControl);
  const [what, ruleId, , dateKey] = args;
  const { member, databaseId } = await requireReminder(call, { ruleId, dateKey });
  const { messageId } = call;
  const work = { kind: 'remind' as const, what, ruleId, dateKey, pageId, databaseId, messageId };
  await answerLater(inServerOf(call, member), member, work);
  return deferredReply;
}

/** **Undo** below the answer to one of those buttons. */
export async function undo(call: DirectCall) {
  const [undoId = ''] = call.args;
  if (!/^\d{1,20}$/.test(undoId)) return privateReply(texts.unknownControl);
  const { member, pageId, databaseId } = await requireUndo(call, undoId);
  await answerLater(inServerOf(call, member), member, { kind: 'undo', undoId, pageId, databaseId });
  return deferredUpdate;
}
