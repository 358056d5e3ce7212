import { texts } from '@/lib/bot-texts';
import { fitEscaped, fitPlain } from '@/lib/discord-text';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { EventType } from '../matching/schema';
import { buttonRow } from './buttons';
import { pingBehind } from './content-line';
import { titleWords } from './line-text';
import { type PageNews, pageLine } from './page-line';

/** How many pages a digest's message names, and each screen behind its button. */
export const PAGES_PER_SCREEN = 10;

// Discord allows 4,096 characters of text in an embed: ten lines and ten headings of this length always fit.
const MAX_LINE = 350;
const MAX_HEADING = 36;
const MAX_TITLE = 200;
const MAX_NAME = 80;
const MAX_FOOTER_RULE = 150;

/** A page in a digest. */
export interface DigestPage {
  /** The name of its status; null without one. */
  status: string | null;
  news: PageNews;
}

interface DigestInput {
  /** The rule's name, or else its source and place. */
  ruleName: string;
  /** The name of what the rule watches. */
  sourceName: string;
  eventType: EventType;
  /** How many pages the digest has; `shown` are the first of them. */
  pages: number;
  /** How many of them its button lists, with those shown; absent for all. */
  listed?: number;
  shown: DigestPage[];
  /** When digests of the rule come, in words. */
  when: string;
  users: string[];
  roleIds: string[];
  /** The custom id of the button for further pages; null for no button. */
  moreId: string | null;
}

/** Further pages of a digest or a summary, beyond what its message shows. */
export interface FurtherPages {
  lines: string;
  /** The number of the first page shown, counted from 1. */
  from: number;
  to: number;
  pages: number;
  /** Whether these are only the first ones of a longer list. */
  isCut?: boolean;
  /** Counted from 0; the message itself shows screen 0. */
  screen: number;
  screens: number;
}

/** The screen that somebody asks for, within those that there are, and the number of its first page. */
export function findScreen(wanted: number, pages: number): Omit<FurtherPages, 'lines' | 'to'> {
  const screens = Math.ceil(pages / PAGES_PER_SCREEN);
  const screen = Math.min(Math.max(1, Math.trunc(wanted) || 1), screens - 1);
  return { screen, screens, from: screen * PAGES_PER_SCREEN + 1, pages };
}

/** The message about everything that a rule has found since its last digest. */
export function buildDigest(input: DigestInput): MessageBody {
  const { ruleName, sourceName, eventType, pages, listed = pages, shown, when, moreId } = input;
  const what = texts.digestPages[eventType](pages);
  const sentence = texts.digestOf(what, titleWords(sourceName, MAX_NAME));
  const { content, pinged } = pingBehind(sentence, input.users, input.roleIds);
  const rest = listed - shown.length;
  const footer = texts.digestFooter(fitPlain(ruleName, MAX_FOOTER_RULE), when);
  return {
    content,
    embeds: [
      {
        title: titleWords(sourceName, MAX_TITLE),
        description: digestLines(shown),
        footer: { text: footer },
      },
    ],
    ...(rest > 0 && moreId && { components: [buttonRow(texts.showMore(rest), moreId)] }),
    allowed_mentions: {
      parse: [],
      users: pinged.users,
      ...(pinged.roles.length > 0 && { roles: pinged.roles }),
    },
  };
}

/** The message about everything that rules have found for a person; `stopId` is of the button that ends these messages. */
export function buildPersonDigest({
  pages,
  shown,
  moreId,
  stopId,
}: Pick<DigestInput, 'pages' | 'shown' | 'moreId'> & { stopId: string }): MessageBody {
  const rest = pages - shown.length;
  const stop = buttonRow(texts.stopNotifying, stopId);
  const more = rest > 0 && moreId ? buttonRow(texts.showMore(rest), moreId).components : [];
  return {
    content: texts.yourDigest(pages),
    embeds: [{ description: digestLines(shown) }],
    components: [{ ...stop, components: [...more, ...stop.components] }],
    allowed_mentions: { parse: [] },
  };
}

/** A line for each page, under headings with the names of their statuses if any page has one. */
export function digestLines(pages: DigestPage[]): string {
  const isGrouped = pages.some(({ status }) => status !== null);
  return pages
    .flatMap(({ status, news }, index) => {
      const isFirst = index === 0 || pages[index - 1]?.status !== status;
      const heading =
        isGrouped && isFirst ? [`**${fitEscaped(status ?? texts.noStatus, MAX_HEADING)}**`] : [];
      return [...heading, pageLine(news, MAX_LINE)];
    })
    .join('\n');
}
