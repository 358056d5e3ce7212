import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { Summary } from '../matching/summary';
import { buildDigest, digestLines, PAGES_PER_SCREEN } from './digest-card';
import { titleWords } from './line-text';
import { pageMenu } from './menus';

const MAX_NAME = 80;

/** How many pages of a summary are listed: in its message, and behind its button. More than anybody reads. */
export const MAX_LISTED = 500;

/** A page of a summary, with the values that its line shows. */
export interface ListedPage extends Pick<Summary, 'title' | 'url' | 'changes'> {
  id: string;
}

interface SummaryInput {
  ruleName: string;
  sourceName: string;
  pages: ListedPage[];
  /** When summaries of the rule come, in words. */
  when: string;
  users: string[];
  roleIds: string[];
  /** The custom id of the button for further pages. */
  moreId: string;
  /** Whether it has a menu to open one of the pages, which works in servers only. */
  hasMenu: boolean;
}

/** The message that lists the pages that meet a rule's conditions; without pages, a line that says so. */
export function buildSummary({ pages, hasMenu, ...input }: SummaryInput): MessageBody {
  if (pages.length === 0) {
    const content = `No page in ${titleWords(input.sourceName, MAX_NAME)} to list now`;
    return { content, allowed_mentions: { parse: [], users: [] } };
  }
  const shown = pages.slice(0, PAGES_PER_SCREEN);
  const body = buildDigest({
    ...input,
    eventType: 'summary',
    pages: pages.length,
    listed: Math.min(pages.length, MAX_LISTED),
    shown: shown.map(toDigestPage),
  });
  const menus = hasMenu ? pageMenu(shown) : [];
  return { ...body, components: [...menus, ...(body.components ?? [])] };
}

/** A line for each page, in order. */
export const summaryLines = (pages: ListedPage[]): string => digestLines(pages.map(toDigestPage));

const toDigestPage = ({ title, url, changes }: ListedPage) => ({
  status: null,
  news: { title, url, changes, moreChanges: 0, isNew: false },
});
