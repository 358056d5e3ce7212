import { texts } from '@/lib/bot-texts';
import { compactId } from '@/lib/integrations/notion/notion-id';
import { button, rowOf } from './buttons';

interface ReminderTarget {
  ruleId: string;
  pageId: string;
  /** Whether the database of the page has a status with a group for finished work. */
  canComplete: boolean;
}

/** The buttons below a card that reminds of a date: what they do is written to Notion. */
export function reminderActions({ ruleId, pageId, canComplete }: ReminderTarget) {
  const of = (what: string) => `remind:${what}:${ruleId}:${compactId(pageId)}`;
  return rowOf([
    ...(canComplete ? [button(texts.reminder.done, of('done'))] : []),
    button(texts.reminder.tomorrow, of('tomorrow')),
    button(texts.reminder.week, of('week')),
  ]);
}
