import { texts } from '@/lib/bot-texts';
import { fitText } from '@/lib/discord-text';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import { rewriteInstants } from '@/lib/time';

/** Markup that Discord shows as this time in each reader's own time zone and language. */
export const stamp = (at: Date) => `<t:${Math.floor(at.getTime() / 1000)}:f>`;

/** A text of times as Discord's own markup if that has at most `limit` characters; any other text as `cut` fits it. */
export function stampOr(cut: (text: string, limit: number) => string, text: string, limit: number): string {
  const stamped = rewriteInstants(text, stamp);
  return stamped === text || stamped.length > limit ? cut(text, limit) : stamped;
}

/** A value without people, as a card shows it in at most `limit` characters. */
export const fitValue = ({ text }: Pick<PropertyValue, 'text'>, limit: number) =>
  stampOr(fitText, text, limit);

/**
 * The people of a value in at most `limit` characters, each as `nameOf` gives them in at most `most`; the others are
 * counted.
 */
export function fitPeople(
  { userIds = [], userNames, userCount }: PropertyValue,
  limit: number,
  nameOf: (notionUserId: string, name: string, most: number) => string,
): string {
  const count = userCount ?? userIds.length;
  const most = limit - (count > 1 ? `, ${texts.andMore(count - 1)}`.length : 0);
  const names = userIds.map((id, index) => nameOf(id, userNames?.[index] ?? '', most));
  const kept: string[] = [];
  for (const name of names) {
    const rest = count - kept.length;
    const after = rest > 1 ? [texts.andMore(rest - 1)] : [];
    if ([...kept, name, ...after].join(', ').length > limit) return [...kept, texts.andMore(rest)].join(', ');
    kept.push(name);
  }
  const more = count > kept.length ? [texts.andMore(count - kept.length)] : [];
  return [...kept, ...more].join(', ');
}
