import type { APIMessageTopLevelComponent } from 'discord-api-types/v10';
import { texts } from '@/lib/bot-texts';
import { button, buttonRow, pageRow, rowOf, taskButtons } from '@/lib/features/cards/buttons';
import { fitValue } from '@/lib/features/cards/card-value';
import type { FurtherPages } from '@/lib/features/cards/digest-card';
import { linked, nameWords, titleWords } from '@/lib/features/cards/line-text';
import type { ChatPage } from '@/lib/features/tasks/queries';
import type { Answer } from './reply';

// Our own limit: ten lines of this length fit into an embed's description of 4,096 characters.
const MAX_LINE_TITLE = 80;
const MAX_LINE_URL = 200;
const MAX_LINE_NAME = 30;
const MAX_TITLE = 200;
const MAX_URL = 512;
// Two times in Discord's markup.
const MAX_DUE = 40;

/** A page's title as a link, in at most about 700 characters. */
export const pageLink = ({ title, url }: { title: string; url: string }) =>
  linked(titleWords(title, MAX_TITLE), url, MAX_URL);

/** One line of a list. */
export function pageLine(page: ChatPage): string {
  const link = linked(titleWords(page.title, MAX_LINE_TITLE), page.url, MAX_LINE_URL);
  const facts = [
    nameWords(page.databaseName, MAX_LINE_NAME),
    nameWords(page.task?.status ?? '', MAX_LINE_NAME),
    page.task?.due ? texts.due(fitValue(page.task.due, MAX_DUE)) : '',
  ];
  return [link, ...facts.filter(Boolean)].join(' · ');
}

/** The buttons for a page, as its cards have them. */
export function pageButtons({ id, url, task }: ChatPage): APIMessageTopLevelComponent[] {
  const buttons = task && taskButtons({ pageId: id, databaseId: task.databaseId });
  const shown = buttons ? [...(task.hasPeople ? [buttons.assign_me] : []), buttons.status] : [];
  const row = pageRow({ url }, shown);
  return row ? [row] : [];
}

/** Which of several screens this is, to end a heading with; empty for the only one. `screen` counts from 0. */
export const progressOf = (screen: number, screens: number) =>
  screens > 1 ? ` (${texts.screenOf(screen + 1, screens)})` : '';

/** Buttons to the screens before and after this one; `screen` counts from 0. */
export function screenButtons(
  customId: (screen: number) => string,
  screen: number,
  screens: number,
): APIMessageTopLevelComponent[] {
  if (screens <= 1) return [];
  const to = (label: string, target: number) => ({
    ...button(label, customId(target)),
    disabled: target < 0 || target >= screens,
  });
  return [rowOf([to(texts.previous, screen - 1), to(texts.next, screen + 1)])];
}

/** Further pages of a digest or a summary, with buttons to the screens around them. */
export function furtherPages(
  { lines, from, to, pages, isCut = false, screen, screens }: FurtherPages,
  turn: string,
  menuOfPages: APIMessageTopLevelComponent[] = [],
): Answer {
  return {
    content: texts.restOf(from, to, pages, isCut),
    embeds: [{ description: lines }],
    // The message itself shows screen 0, so the buttons count from 1.
    components: [
      ...menuOfPages,
      ...screenButtons((target) => `${turn}:${target + 1}`, screen - 1, screens - 1),
    ],
  };
}

/** The button that reopens the form for a task, with the draft saved under that interaction. */
export function fillInAgain(databaseId: string, draftId: string): APIMessageTopLevelComponent[] {
  return [buttonRow(texts.fillInAgain, `new-task:${databaseId}:${draftId}`)];
}
