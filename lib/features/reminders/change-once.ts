import type { Page } from '@/lib/integrations/notion/notion-page';
import { refreshCard } from '../composing/refresh-card';
import { write } from '../tasks/change-task';
import type { DeferredAnswer } from '../tasks/interactions';
import { type Member, workspaceOf } from '../tasks/member';
import { TaskProblem } from '../tasks/task-problem';
import { findWrite } from '../writes/page-writes';
import { isSame, readCurrentValue, sayValue, type Target, toNotion } from './current-value';
import { type Change, findChange, keepChange, type Value } from './kept-change';

/** The value of a page's property after somebody pressed a button. */
export interface Changed {
  page: Page;
  property: string;
  /** In words, escaped. */
  value: string;
  /** False if it had this value before. */
  isChanged: boolean;
}

/**
 * Sets a property for an interaction, once: a repeated job finds what the earlier one was about to write. The old value
 * is kept first, so that the change can be undone. Throws TaskProblem.
 */
export async function changeOnce(
  answer: DeferredAnswer,
  member: Member,
  /** `card` is to be brought up to date; null for none. */
  target: Target & { card: Change['card'] },
  next: (held: Value) => Value | Promise<Value>,
): Promise<Changed> {
  const { pageId, database, propertyId, card } = target;
  const held = await readCurrentValue(member, target);
  const kept = await findChange(answer.id);
  const wanted = kept?.wrote ?? (await next(held.value));
  const say = async (isChanged: boolean, page = held.page): Promise<Changed> => {
    const by = isChanged ? answer.userId : null;
    await showOn(card, member, { page, discordUserId: by, propertyId });
    return { page, property: held.property.name, value: sayValue(wanted, database), isChanged };
  };
  if (isSame(held.value, wanted)) return say(kept !== null);
  if (kept && (await findWrite(answer.id))?.writtenAt) return say(true);
  if (kept && !isSame(held.value, kept.before)) throw new TaskProblem('changed_meanwhile');
  await keepChange(answer.id, member, {
    pageId,
    databaseId: database.id,
    propertyId,
    before: held.value,
    wrote: wanted,
    card,
  });
  return say(true, await write(answer, held, { propertyId, value: toNotion(wanted) }));
}

/** Brings the card whose button was pressed up to date. */
export async function showOn(
  card: Change['card'],
  member: Member,
  shown: { page: Page; discordUserId: string | null; propertyId: string },
): Promise<void> {
  if (card) await refreshCard(await workspaceOf(member), { ...card, ...shown });
}
