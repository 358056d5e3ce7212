import { texts } from '@/lib/bot-texts';
import { labelWords } from '@/lib/features/cards/line-text';
import { requireMember } from '@/lib/features/tasks/member';
import { type ChoosableDatabase, getTaskDatabase, listTaskDatabases } from '@/lib/features/tasks/queries';
import { TaskProblem } from '@/lib/features/tasks/task-problem';
import { foldText } from '@/lib/fold-text';
import type { AutocompleteCall, CommandCall } from '../interaction';
import { askForDatabase, openTaskForm } from '../open-task-form';
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
  const chosen = matching(databases, wanted);
  const [first] = chosen;
  if (!first) throw new TaskProblem('database_gone');
  if (chosen.length > 1) return askForDatabase(chosen, NO_DRAFT);
  return taskModal(await getTaskDatabase(member, first.id), NO_DRAFT, EMPTY_DRAFT);
}

/** The database of a chosen suggestion, or those of a typed name, in which capitals matter only where they decide. */
function matching(databases: ChoosableDatabase[], wanted: string): ChoosableDatabase[] {
  const isWanted = [
    ({ id }: ChoosableDatabase) => id === wanted,
    ({ name }: ChoosableDatabase) => name === wanted,
    ({ name }: ChoosableDatabase) => foldText(name) === foldText(wanted),
  ];
  return isWanted.map((is) => databases.filter(is)).find(({ length }) => length > 0) ?? [];
}

/** Suggests the task databases whose name contains what was typed. */
export async function suggestDatabases(call: AutocompleteCall) {
  const member = await requireMember(call.guildId, call.userId);
  const databases = await listTaskDatabases(member);
  const typed = foldText(call.typed.trim());
  const found = databases.filter(({ name }) => foldText(name).includes(typed));
  return suggestions(
    found.slice(0, MAX_CHOICES).map(({ id, name, distinction }) => {
      const end = distinction === null ? '' : ` (${distinction})`;
      return { name: `${labelWords(name, MAX_NAME - end.length) || texts.untitled}${end}`, value: id };
    }),
  );
}
