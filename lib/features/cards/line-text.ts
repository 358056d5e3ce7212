import { isolateWithin } from '@/lib/bidi';
import { texts } from '@/lib/bot-texts';
import { fitEscaped, fitPlain } from '@/lib/discord-text';
import type { Summary } from '../matching/summary';
import { stampOr } from './card-value';
import { changeInWords } from './words';

const MAX_NAME = 40;
const MAX_VALUE = 60;

/** A name with a link. A bracket would end the link early, and only http and https addresses become links. */
export function linked(name: string, url: string | null, limit: number): string {
  const address = url?.replaceAll('(', '%28').replaceAll(')', '%29') ?? '';
  if (address.length > limit || !/^https?:\/\/[^\s<>]+$/.test(address)) return name;
  return linkTo(name, address);
}

/**
 * A name as a link. One that is `isUnfit` as the text of a link stands before it: of an escaped name, Discord would show
 * the backslashes there.
 */
export const linkTo = (name: string, target: string, isUnfit = name.includes('\\')): string =>
  isUnfit ? `${name} ([${texts.open}](${target}))` : `[${name}](${target})`;

/** The change of a property, in words. */
export function changeText({ name, before, after }: Summary['changes'][number]): string {
  const shown = (text: string) => (limit: number) => valueText(text, limit);
  return changeInWords(
    {
      name: (limit) => words(name, limit),
      before: before === null ? null : shown(before),
      after: shown(after),
    },
    { name: MAX_NAME, value: MAX_VALUE },
  );
}

/** A page's title as its line begins with it. */
export const titleWords = (title: string, limit: number) => nameWords(title, limit) || texts.untitled;

/**
 * A name from outside as a part of a line or a sentence, in which Discord finds no markup, no link and no invite; empty for
 * a name without characters.
 */
export const nameWords = (name: string, limit: number) =>
  isolateWithin(limit, (most) =>
    words(name.replace(/:(?=\/\/)|discord(?:app)?(?=\.(?:gg|com)\/)/gi, '$&\u200b'), most),
  );

/** A text from outside in one line. */
export const words = (text: string, limit: number) => fitEscaped(inOneLine(text), limit);

/** A text from outside as a label, in which Discord finds no markup anyway. */
export const labelWords = (text: string, limit: number) => fitPlain(inOneLine(text), limit);

const inOneLine = (text: string) => text.replace(/\s+/g, ' ');

const valueText = (text: string, limit: number) => stampOr(words, text, limit) || texts.empty;
