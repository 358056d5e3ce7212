import { texts } from '@/lib/bot-texts';
import { nameWords } from '@/lib/features/cards/line-text';
import { answerLater, getDraft, saveDraft } from '@/lib/features/tasks/interactions';
import { requireMember } from '@/lib/features/tasks/member';
import { getTaskDatabase } from '@/lib/features/tasks/queries';
import type { TaskDraft } from '@/lib/features/tasks/schema';
import type { TaskDatabase } from '@/lib/features/tasks/task-database';
import { TaskProblem } from '@/lib/features/tasks/task-problem';
import { isDay } from '@/lib/time';
import { giveBack } from '../entered-text';
import type { ComponentCall, ModalCall } from '../interaction';
import { fillInAgain } from '../page-view';
import { deferredReply, privateReply } from '../reply';
import { EMPTY_DRAFT, NO_DRAFT, taskModal, toDraft, toFormTarget } from '../task-modal';

const MAX_SHOWN = 100;

/** Opens the form for the chosen database, or reopens it with what was written before. */
export async function openForm(call: ComponentCall) {
  const [first] = call.args;
  const target = toFormTarget(call.values.length > 0 ? [call.values[0] ?? '', first ?? ''] : call.args);
  if (!target) return privateReply(texts.unknownControl);
  const member = await requireMember(call.guildId, call.userId);
  const database = await getTaskDatabase(member, target.databaseId);
  const draft = target.draftId === NO_DRAFT ? EMPTY_DRAFT : await getDraft(target.draftId, member);
  return taskModal(database, target.draftId, draft);
}

/** Takes the submitted form: creates the task, or says what to fix and keeps what was written. */
export async function submitForm(call: ModalCall) {
  try {
    return await takeForm(call);
  } catch (error) {
    if (!(error instanceof TaskProblem)) throw error;
    const { title, description } = toDraft(call.fields, EMPTY_DRAFT);
    const written = [title, description].filter(Boolean).join('\n\n');
    return privateReply({ content: texts.problems[error.reason], ...giveBack(written) });
  }
}

async function takeForm(call: ModalCall) {
  const target = toFormTarget(call.args);
  if (!target) return privateReply(texts.unknownControl);
  const member = await requireMember(call.guildId, call.userId);
  const database = await getTaskDatabase(member, target.databaseId);
  const origin = target.draftId === NO_DRAFT ? null : await getDraft(target.draftId, member);
  const draft = toDraft(call.fields, origin ?? EMPTY_DRAFT);
  const problem = findProblem(draft, database.due);
  if (problem) {
    await saveDraft(call, member, draft);
    return privateReply({ content: problem, components: fillInAgain(target.databaseId, call.id) });
  }
  await answerLater(call, member, { kind: 'create-task', databaseId: target.databaseId, draft });
  return deferredReply;
}

function findProblem({ title, due }: TaskDraft, property: TaskDatabase['due']): string | null {
  if (!title) return texts.titleMissing;
  if (!due || !property || isDay(due)) return null;
  return texts.badDate(nameWords(property.name, MAX_SHOWN), nameWords(due, MAX_SHOWN));
}
