import { texts } from '@/lib/bot-texts';
import { labelWords } from '@/lib/features/cards/line-text';
import { requireMember } from '@/lib/features/tasks/member';
import { getTaskDatabase, listTaskDatabases } from '@/lib/features/tasks/queries';
import { TaskProblem } from '@/lib/features/tasks/task-problem';
import { foldText } from '@/lib/fold-text';
import type { AutocompleteCall, CommandCall } from '../interaction';
import { openTaskForm } from '../open-task-form';
import { suggestions } from '../reply';
import { EMPTY_DRAFT, NO_DRAFT, taskModal } from '../task-modal';

// Discord's limits for suggestions.
const MAX_CHOICES = 25;
const MAX_NAME = 100;

/** `/notion task`: opens the form for a new task. */
export async function task(call: CommandCall) {
  const member = await requireMember(call.guildId, call.userId);
  const wanted = call.options.get('database')?.trim();
  if (!wanted) return openTaskForm(call, member, EMPTY_DRAFT);
  const databases = await listTaskDatabases(member);
  // A typed name is as good as a chosen suggestion.
  const chosen =
    databases.find(({ id }) => id === wanted) ??
    databases.find(({ name }) => name === wanted) ??
    databases.find(({ name }) => foldText(name) === foldText(wanted));
  if (!chosen) throw new TaskProblem('database_gone');
  return taskModal(await getTaskDatabase(member, chosen.id), NO_DRAFT, EMPTY_DRAFT);
}

/** Suggests the task databases whose name contains what was typed. */
export async function suggestDatabases(call: AutocompleteCall) {
  const member = await requireMember(call.guildId, call.userId);
  const databases = await listTaskDatabases(member);
  const typed = foldText(call.typed.trim());
  const matching = databases.filter(({ name }) => foldText(name).includes(typed));
  return suggestions(
    matching.slice(0, MAX_CHOICES).map(({ id, name, distinction }) => {
      const end = distinction === null ? '' : ` (${distinction})`;
      return { name: `${labelWords(name, MAX_NAME - end.length) || texts.untitled}${end}`, value: id };
    }),
  );
}
