import { texts } from '@/lib/bot-texts';
import { fitEscaped } from '@/lib/discord-text';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { rewriteInstants } from '@/lib/time';
import type { Summary } from '../matching/summary';
import { stamp } from './card-value';

// Discord allows 4,096 characters of text in an embed. We use fewer, so that one card does not fill the channel.
const TEXT_MAX = 3500;
const TITLE_MAX = 100;
const NAME_MAX = 40;
const VALUE_MAX = 60;
const URL_MAX = 500;
const CHANGES_PER_PAGE = 3;

/** How many pages a card names at most. */
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

/** One message for everything that changed while we heard nothing from Notion. It mentions nobody. */
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

// A bracket would end the link early, and only http and https addresses become links.
function linked(name: string, url: string | null): string {
  if (!url || url.length > URL_MAX || !/^https?:\/\/[^\s<>]+$/.test(url)) return name;
  return `[${name}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

function changeText({ name, before, after }: Summary['changes'][number]): string {
  const label = words(name, NAME_MAX);
  const now = valueText(after);
  return before === null ? `${label}: ${now}` : `${label}: ${valueText(before)} → ${now}`;
}

// One line for each page.
const words = (text: string, limit: number) => fitEscaped(text.replace(/\s+/g, ' '), limit);

function valueText(text: string): string {
  const stamped = rewriteInstants(text, stamp);
  if (stamped !== text && stamped.length <= VALUE_MAX) return stamped;
  return words(text, VALUE_MAX) || texts.empty;
}
