import { texts } from '@/lib/bot-texts';
import { compactId } from '@/lib/integrations/notion/notion-id';
import { setting } from '../actions/words';
import { keyOf } from './action-id';
import { button, rowOf } from './buttons';

interface ReminderTarget {
  ruleId: string;
  pageId: string;
  /** The date of which it reminds. */
  propertyId: string;
  /** Whether the database of the page has a status with a group for finished work. */
  canComplete: boolean;
}

/**
 * The buttons below a card that reminds of a date: what they do is written to Notion. Those that move the date name it,
 * because the rule may remind of another by then.
 */
export function reminderActions({ ruleId, pageId, propertyId, canComplete }: ReminderTarget) {
  const of = (what: string) => `remind:${what}:${ruleId}:${compactId(pageId)}`;
  const moving = (what: string) => `${of(what)}:${dateKeyOf(propertyId)}`;
  return rowOf([
    ...(canComplete ? [button(texts.reminder.done, of('done'))] : []),
    button(texts.reminder.tomorrow, moving('tomorrow')),
    button(texts.reminder.week, moving('week')),
  ]);
}

/** A date property in the custom id of a button that moves it. */
export const dateKeyOf = (propertyId: string): string => keyOf(setting(propertyId));
