import { texts } from '@/lib/bot-texts';
import { fitEscaped } from '@/lib/discord-text';
import { rewriteInstants } from '@/lib/time';
import type { Summary } from '../matching/summary';
import { stamp } from './card-value';

const MAX_NAME = 40;
const MAX_VALUE = 60;

/** A name as a link. A bracket would end the link early, and only http and https addresses become links. */
export function linked(name: string, url: string | null, limit: number): string {
  const address = url?.replaceAll('(', '%28').replaceAll(')', '%29') ?? '';
  if (address.length > limit || !/^https?:\/\/[^\s<>]+$/.test(address)) return name;
  return `[${name}](${address})`;
}

/** The change of a property, in words. */
export function changeText({ name, before, after }: Summary['changes'][number]): string {
  const label = words(name, MAX_NAME);
  const now = valueText(after);
  return before === null ? `${label}: ${now}` : `${label}: ${valueText(before)} → ${now}`;
}

/** A text from outside in one line. */
export const words = (text: string, limit: number) => fitEscaped(text.replace(/\s+/g, ' '), limit);

function valueText(text: string): string {
  const stamped = rewriteInstants(text, stamp);
  if (stamped !== text && stamped.length <= MAX_VALUE) return stamped;
  return words(text, MAX_VALUE) || texts.empty;
}
