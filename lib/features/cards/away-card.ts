import { texts } from '@/lib/bot-texts';
import { fitEscaped } from '@/lib/discord-text';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { rewriteInstants } from '@/lib/time';
import type { Summary } from '../matching/summary';
import { stamp } from './card-value';

// Discord allows 4,096 characters of text in an embed. Ours is less, so that a channel is not filled.
const TEXT_MAX = 3500;
const TITLE_MAX = 100;
const NAME_MAX = 40;
const VALUE_MAX = 60;
const URL_MAX = 500;
const CHANGES_PER_PAGE = 3;

/** As many pages as a card names at most. */
export const MOST_LINES = 25;

export interface MissedLine extends Summary {
  isNew: boolean;
}

interface AwayCardInput {
  /** The first changes in the order in which they happened. */
  lines: MissedLine[];
  /** How many pages changed in all. */
  pages: number;
  since: Date;
  until: Date;
}

/** One message for everything that changed while nothing was heard from Notion. It mentions nobody. */
export function buildAwayCard({ lines, pages, since, until }: AwayCardInput): MessageBody {
  const intro = texts.awayIntro(stamp(since), stamp(until), pages);
  const shown: string[] = [];
  let length = intro.length;
  for (const line of lines.slice(0, MOST_LINES)) {
    const text = lineText(line);
    if (length + text.length + 1 > TEXT_MAX) break;
    shown.push(text);
    length += text.length + 1;
  }
  const rest = pages - shown.length;
  const more = rest > 0 ? [texts.andMore(rest)] : [];
  return {
    embeds: [
      {
        title: texts.awayTitle,
        description: [intro, ...shown, ...more].join('\n'),
        footer: { text: texts.awayFooter },
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

function lineText({ title, url, changes, moreChanges, isNew }: MissedLine): string {
  const name = words(title, TITLE_MAX) || texts.untitled;
  const page = linked(name, url);
  const named = changes.slice(0, CHANGES_PER_PAGE).map(changeText);
  const rest = changes.length + moreChanges - named.length;
  const what = [...(isNew ? [texts.newPage] : []), ...named, ...(rest > 0 ? [texts.andMore(rest)] : [])];
  return what.length > 0 ? `- ${page}: ${what.join(', ')}` : `- ${page}`;
}

// A bracket would end the link early; an address that is not one of the web is no link.
function linked(name: string, url: string | null): string {
  if (!url || url.length > URL_MAX || !/^https?:\/\/[^\s<>]+$/.test(url)) return name;
  return `[${name}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

function changeText({ name, before, after }: Summary['changes'][number]): string {
  const label = words(name, NAME_MAX);
  const now = valueText(after);
  return before === null ? `${label}: ${now}` : `${label}: ${valueText(before)} → ${now}`;
}

// Each page has one line.
const words = (text: string, limit: number) => fitEscaped(text.replace(/\s+/g, ' '), limit);

function valueText(text: string): string {
  const stamped = rewriteInstants(text, stamp);
  if (stamped !== text && stamped.length <= VALUE_MAX) return stamped;
  return words(text, VALUE_MAX) || texts.empty;
}
