import { texts } from '@/lib/bot-texts';
import { MAX_ENTRIES, menu } from '@/lib/features/cards/menus';
import { saveDraft } from '@/lib/features/tasks/interactions';
import type { Member } from '@/lib/features/tasks/member';
import { type ChoosableDatabase, getTaskDatabase, listTaskDatabases } from '@/lib/features/tasks/queries';
import type { TaskDraft } from '@/lib/features/tasks/schema';
import { TaskProblem } from '@/lib/features/tasks/task-problem';
import type { Call } from './interaction';
import { privateReply, type Reply } from './reply';
import { NO_DRAFT, taskModal } from './task-modal';

/** Opens the form at once if there is one task database, otherwise asks which one first. */
export async function openTaskForm(call: Call, member: Member, draft: TaskDraft): Promise<Reply> {
  const databases = await listTaskDatabases(member);
  const [first] = databases;
  if (!first) throw new TaskProblem('no_databases');
  const isEmpty = draft.title === '' && draft.permalink === null;
  // The content of a message does not fit into a custom id.
  if (!isEmpty) await saveDraft(call, member, draft);
  const draftId = isEmpty ? NO_DRAFT : call.id;
  if (databases.length > 1) return askForDatabase(databases, draftId);
  return taskModal(await getTaskDatabase(member, first.id), draftId, draft);
}

/** Asks in which of several databases a task is to be created. */
export function askForDatabase(databases: ChoosableDatabase[], draftId: string): Reply {
  const choices = databases.map(({ id, name, distinction }) => ({
    label: name,
    value: id,
    ...(distinction !== null && { description: distinction }),
  }));
  const more = databases.length > MAX_ENTRIES ? `\n${texts.tooManyDatabases}` : '';
  return privateReply({
    content: `${texts.chooseDatabase}${more}`,
    components: menu(`task-in:${draftId}`, texts.chooseDatabase, choices),
  });
}
