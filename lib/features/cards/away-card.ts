import { texts } from '@/lib/bot-texts';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { stamp } from './card-value';
import { type PageNews, pageLine } from './page-line';

// Discord allows 4,096 characters of text in an embed. We use fewer, so that one card does not fill the channel.
const MAX_TEXT = 3500;

/** The most pages that a card names. */
export const MAX_LINES = 25;

interface AwayCardInput {
  /** The first changes in the order in which they happened. */
  lines: PageNews[];
  /** How many pages changed in all. */
  pages: number;
  since: Date;
  until: Date;
}

/** One message about everything that changed while no events came from Notion. It mentions nobody. */
export function buildAwayCard({ lines, pages, since, until }: AwayCardInput): MessageBody {
  const intro = texts.awayIntro(stamp(since), stamp(until), pages);
  const shown: string[] = [];
  let length = intro.length;
  for (const line of lines.slice(0, MAX_LINES)) {
    const text = pageLine(line);
    if (length + text.length + 1 > MAX_TEXT) break;
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
