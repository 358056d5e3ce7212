import { fitEscaped } from '@/lib/discord-text';
import type { ChatWork } from '@/lib/features/tasks/schema';
import type { Fields } from './interaction';
import type { Answer } from './reply';

// Discord's limit for the description of an embed.
const MAX_DESCRIPTION = 4096;

/** The part of an answer that gives back what somebody wrote, so that it is not lost; nothing without a text. */
export function giveBack(text: string): Pick<Answer, 'embeds'> {
  const description = fitEscaped(text, MAX_DESCRIPTION);
  return description ? { embeds: [{ description }] } : {};
}

/** The longer text that somebody wrote for some work; empty for other work. A new task's is kept in a draft. */
export function textOf(work: ChatWork): string {
  if (work.kind === 'comment') return work.text;
  if (work.kind !== 'set-value') return '';
  const parts = work.value['rich_text'] ?? work.value['title'];
  if (!Array.isArray(parts)) return '';
  return parts.map((part) => (part as { text: { content: string } }).text.content).join('');
}

/** What somebody wrote into a form: without what they chose, and without single words, which are soon written again. */
export const writtenIn = (fields: Fields): string =>
  [...fields.values()].flat().filter(isWritten).join('\n\n');

// The ids of options and people are short and of plain characters without spaces; so is a single word.
const isWritten = (entered: string) => !/^[!-~]{0,36}$/.test(entered.trim());
