/** The longest address that Discord accepts in a card. */
export const MAX_URL = 2048;

const ELLIPSIS = '…';
const ZERO_WIDTH_SPACE = '\u200b';
const characters = new Intl.Segmenter();
// Anything but spaces and characters that take no room.
const SHOWN = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Control}]/u;
const MARKUP = /[\\*_~`|[\]<>]/g;
// The indent ends with its line: looking on from each of many empty lines would take minutes.
const HEADING_OR_LIST = /^([^\S\n\r\u2028\u2029]*)(#{1,3}|-#|-|\+)(?=\s)/gm;
const NUMBERED = /^([^\S\n\r\u2028\u2029]*\d+)(?=[.)]\s)/gm;
// An address up to the first character that could be markup and is not common in addresses.
const LINK = /https?:\/\/[a-z0-9](?:[\w\-./~:?#@!$&+,;=%]|\\[_~])+/gi;

/**
 * Escapes a text from outside, so that Discord shows it as it was written: without formatting, links and mentions. A
 * backslash does not defuse @everyone; a zero-width space does.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(MARKUP, '\\$&')
    .replace(HEADING_OR_LIST, '$1\\$2')
    .replace(NUMBERED, '$1\\')
    .replace(/@(?=everyone|here)/g, `@${ZERO_WIDTH_SPACE}`);
}

/**
 * Like `escapeMarkdown`, but leaves addresses clickable: a backslash would become part of them. One that is cut at the
 * end of the text would lead elsewhere; a zero-width space keeps it from becoming a link.
 */
function escapeAroundLinks(text: string): string {
  const escaped = escapeMarkdown(text);
  return escaped.replace(LINK, (link, at: number) =>
    escaped.slice(at + link.length) === ELLIPSIS
      ? link.replace(':', `:${ZERO_WIDTH_SPACE}`)
      : link.replace(/\\([_~])/g, '$1'),
  );
}

/** The escaped text in at most `limit` characters, cut at a word with an ellipsis where it is longer. */
export function fitEscaped(text: string, limit: number): string {
  return shorten(text, limit, escapeMarkdown);
}

/** Like `fitEscaped`, for a text whose addresses should stay usable. */
export function fitText(text: string, limit: number): string {
  return shorten(text, limit, escapeAroundLinks);
}

/** The text in at most `limit` characters, cut at a word with an ellipsis where it is longer. */
export function fitPlain(text: string, limit: number): string {
  return shorten(text, limit, (same) => same);
}

/** Our own markup for a time this many seconds after a message is sent; `fillTimes` replaces it before sending. */
export const timeAfterSending = (seconds: number) => `<t:+${seconds}:F>`;

/** The text of a message that is sent at this time, with Discord's markup for the times in it. */
export function fillTimes(text: string, sentAt: Date): string {
  const sentAtSeconds = Math.floor(sentAt.getTime() / 1000);
  return text.replace(/<t:\+(\d+):F>/g, (_, seconds) => `<t:${sentAtSeconds + Number(seconds)}:F>`);
}

function shorten(text: string, limit: number, render: (text: string) => string): string {
  const clean = SHOWN.test(text) ? text.trim() : '';
  const whole = render(clean);
  if (whole.length <= limit) return whole;
  // Code points, because half of one is not valid text.
  const points = Array.from(clean);
  let low = 0;
  let high = Math.min(points.length, limit);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const fits = render(points.slice(0, middle).join('') + ELLIPSIS).length <= limit;
    if (fits) low = middle;
    else high = middle - 1;
  }
  const cut = wholeCharacters(clean, points.slice(0, low).join(''));
  const atWord = cut.replace(/\s+\S*$/, '');
  // A single word longer than the limit has no better place to be cut.
  const kept = atWord.length >= cut.length / 2 ? atWord : cut;
  return render(kept.trimEnd() + ELLIPSIS);
}

/** Moves the cut before the character that it would split: a family or flag emoji is several code points. */
function wholeCharacters(text: string, cut: string): string {
  const split = characters.segment(text).containing(cut.length);
  return split && split.index > 0 ? text.slice(0, split.index) : cut;
}
