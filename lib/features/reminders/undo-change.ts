import { UnknownKeyError } from '@/lib/crypto';
import { keyMissing } from '../tasks/ask-notion';
import { write } from '../tasks/change-task';
import type { DeferredAnswer } from '../tasks/interactions';
import { requireDatabase } from '../tasks/queries';
import { TaskProblem } from '../tasks/task-problem';
import { findWrite } from '../writes/page-writes';
import { type Changed, showOn } from './change-once';
import { isSame, readCurrentValue, sayValue, toNotion } from './current-value';
import { findChange, noteUndone } from './kept-change';
import { type Pressed, requireMemberOf } from './require-presser';

/** The person who wants to undo a change, which must be their own, and the change. Throws TaskProblem. */
export async function requireUndo(by: Pressed, undoId: string) {
  const change = await findChange(undoId).catch((error) => {
    throw error instanceof UnknownKeyError ? keyMissing() : error;
  });
  if (!change || change.discordUserId !== by.userId) throw new TaskProblem('undo_gone');
  const member = await requireMemberOf(change.accountId, by);
  return { member, ...change };
}

/**
 * Writes the old value back, if the page still has the value that was written. Does so once, however often it is
 * called. Throws TaskProblem.
 */
export async function undoChange(
  answer: DeferredAnswer,
  undoId: string,
): Promise<Omit<Changed, 'isChanged'>> {
  const { member, pageId, databaseId, propertyId, before, wrote, undoneBy, card } = await requireUndo(
    answer,
    undoId,
  );
  if (undoneBy !== null && undoneBy !== answer.id) throw new TaskProblem('undo_done');
  const database = await requireDatabase(member, databaseId);
  const held = await readCurrentValue(member, {
    pageId,
    database,
    propertyId,
    kind: before.kind,
    elsewhere: 'page_moved',
  });
  const earlier = await findWrite(answer.id);
  const isWritten = undoneBy !== null || (earlier?.writtenAt ?? null) !== null;
  const isDue = !isWritten && !isSame(held.value, before);
  if (isDue && !isSame(held.value, wrote)) {
    // An earlier attempt may have undone it before somebody changed it.
    throw new TaskProblem(earlier ? 'changed_meanwhile' : 'undo_changed');
  }
  const page = isDue ? await write(answer, held, { propertyId, value: toNotion(before) }) : held.page;
  // An earlier attempt may have written the value and not come to this.
  const by = isDue || earlier ? answer.userId : null;
  await showOn(card, member, { page, discordUserId: by, propertyId });
  await noteUndone(undoId, answer.id);
  return { page: held.page, property: held.property.name, value: sayValue(before, database) };
}
