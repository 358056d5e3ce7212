import { texts } from '@/lib/bot-texts';
import type { Summary } from '../matching/summary';
import { changeText, linked, titleWords } from './line-text';

const MAX_TITLE = 100;
const MAX_URL = 500;
const CHANGES_PER_PAGE = 3;
// A line always keeps this many characters for the changes.
const LEAST_REST = 60;

/** What is new about one page in a list. */
export interface PageNews extends Pick<Summary, 'title' | 'url' | 'changes' | 'moreChanges'> {
  isNew: boolean;
}

/** A page and as many of its changes as fit, in one line of a list with at most `limit` characters. */
export function pageLine({ title, url, changes, moreChanges, isNew }: PageNews, limit = Infinity): string {
  const all = changes.length + moreChanges;
  const name = titleWords(title, MAX_TITLE);
  const link = linked(name, url, MAX_URL);
  const page = `- ${link.length + LEAST_REST > limit ? name : link}`;
  const named = changes.slice(0, CHANGES_PER_PAGE).map(changeText);
  for (let shown = named.length; shown >= 0; shown -= 1) {
    const rest = all - shown;
    const more = rest > 0 ? [shown > 0 ? texts.andMore(rest) : texts.changesOf(rest)] : [];
    const what = [...(isNew ? [texts.newPage] : []), ...named.slice(0, shown), ...more];
    const line = what.length > 0 ? `${page}: ${what.join(', ')}` : page;
    if (line.length <= limit) return line;
  }
  return page;
}
