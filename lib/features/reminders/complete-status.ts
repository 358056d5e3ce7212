import type { NotionDatabase } from '@/lib/db/generated/client';
import { type TaskDatabase, toTaskDatabase } from '../tasks/task-database';
import { TaskProblem } from '../tasks/task-problem';
import type { Value } from './kept-change';

/** The status of a task database. Throws TaskProblem for other databases. */
export function requireStatus(database: NotionDatabase): TaskDatabase['status'] {
  const task = toTaskDatabase(database);
  if (!task) throw new TaskProblem('database_gone');
  return task.status;
}

/** The first status for finished work. Throws TaskProblem. */
export function completeStatusValue(database: NotionDatabase): Value {
  const done = requireStatus(database).options.find(({ isComplete }) => isComplete);
  if (!done) throw new TaskProblem('no_complete_status');
  return { kind: 'status', optionId: done.id };
}
