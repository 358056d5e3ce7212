import { texts } from '@/lib/bot-texts';
import { buttonRow } from '@/lib/features/cards/buttons';
import { nameWords } from '@/lib/features/cards/line-text';
import type { Changed } from '@/lib/features/reminders/change-once';
import { pressReminder } from '@/lib/features/reminders/press-reminder';
import { undoChange } from '@/lib/features/reminders/undo-change';
import type { DeferredAnswer } from '@/lib/features/tasks/interactions';
import type { Work } from '@/lib/features/tasks/schema';
import { pageLink } from './page-view';
import type { Answer } from './reply';

const MAX_TEXT = 100;

/** Carries out a reminder's button, and offers to undo it. */
export async function finishReminder(deferred: DeferredAnswer, asked: Work<'remind'>): Promise<Answer> {
  return sayChange(deferred, await pressReminder(deferred, asked));
}

/** Says what a button changed, with a button that undoes it. */
export function sayChange({ id }: DeferredAnswer, { page, property, value, isChanged }: Changed): Answer {
  const say = isChanged ? texts.valueSet : texts.valueSame;
  return {
    content: say(pageLink(page), nameWords(property, MAX_TEXT), value),
    components: isChanged ? [undoButton(id)] : [],
  };
}

/** Undoes what a reminder's button did. */
export async function finishUndo(deferred: DeferredAnswer, { undoId }: Work<'undo'>): Promise<Answer> {
  const { page, property, value } = await undoChange(deferred, undoId);
  return { content: texts.undone(pageLink(page), nameWords(property, MAX_TEXT), value) };
}

/** The button that undoes what an interaction did. */
export const undoButton = (interactionId: string) => buttonRow(texts.undo, `undo:${interactionId}`);
