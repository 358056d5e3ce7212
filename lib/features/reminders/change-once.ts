import type { NotionDatabase } from '@/lib/db/generated/client';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { findWrite } from '../changes/page-writes';
import { write } from '../tasks/change-task';
import type { DeferredAnswer } from '../tasks/interactions';
import type { Member } from '../tasks/member';
import { TaskProblem } from '../tasks/task-problem';
import { isSame, readHeld, sayValue, toNotion } from './held-value';
import { findChange, keepChange, type Value } from './kept-change';

/** The value of a page's property after somebody pressed a button. */
export interface Changed {
  page: Page;
  property: string;
  /** In words, escaped. */
  value: string;
  /** False if it had this value before. */
  isChanged: boolean;
}

interface Target {
  pageId: string;
  database: NotionDatabase;
  propertyId: string;
  kind: Value['kind'];
}

/**
 * Sets a property for an interaction, once: a repeated job finds what the earlier one was about to write. The old value
 * is kept first, so that the change can be undone. Throws TaskProblem.
 */
export async function changeOnce(
  answer: DeferredAnswer,
  member: Member,
  target: Target,
  next: (held: Value) => Value | Promise<Value>,
): Promise<Changed> {
  const { pageId, database, propertyId } = target;
  const held = await readHeld(member, target);
  const kept = await findChange(answer.id);
  const wanted = kept?.wrote ?? (await next(held.value));
  const say = (isChanged: boolean, page = held.page): Changed => ({
    page,
    property: held.property.name,
    value: sayValue(wanted, database),
    isChanged,
  });
  if (isSame(held.value, wanted)) return say(kept !== null);
  if (kept && (await findWrite(answer.id))?.writtenAt) return say(true);
  if (kept && !isSame(held.value, kept.before)) throw new TaskProblem('changed_meanwhile');
  await keepChange(answer.id, member, {
    pageId,
    databaseId: database.id,
    propertyId,
    before: held.value,
    wrote: wanted,
  });
  return say(true, await write(answer, held, { propertyId, value: toNotion(wanted) }));
}
