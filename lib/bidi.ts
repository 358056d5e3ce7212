/** Gives a text in at most so many characters. */
export type Fit = (limit: number) => string;

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

// Between these marks a text has its own direction: https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
const [OPEN, CLOSE] = ['\u2068', '\u2069'];
const MARKS_OF_ITS_OWN = /[\u2066-\u2069]/g;
// A part that changes directions itself keeps its marks.
const ISOLATED_START = /^\u2068([^\u202a-\u202e\u2066-\u2069]*)\u2069/;
const ENDS_WITH_ADDRESS = /https?:\/\/\S+$/;

/**
 * A text that does not reverse the order of what stands around it: each line that is read from right to left is between
 * two marks. Any other text stays as it is, and so does a text that already has the marks.
 */
export const isolate = (text: string) => text.split('\n').map(isolateLine).join('\n');

/** A text without such marks. */
export const withoutMarks = (text: string) => text.replace(MARKS_OF_ITS_OWN, '');

function isolateLine(line: string): string {
  if (!RIGHT_TO_LEFT.test(line)) return line;
  const inner = withoutMarks(line);
  // Discord would take the mark for a part of the address.
  return `${OPEN}${inner}${ENDS_WITH_ADDRESS.test(inner) ? ' ' : ''}${CLOSE}`;
}

/**
 * A text without the mark before its first part, because browsers find an option by what is typed of its beginning. A
 * mark behind that part keeps what follows in its place.
 */
export const withPlainStart = (text: string) => text.replace(ISOLATED_START, '$1\u200e');

/** A text like that of `isolate` in at most `limit` characters: the text is cut, never its marks. */
export function isolateWithin(limit: number, cut: Fit): string {
  let room = limit;
  for (;;) {
    const text = cut(room);
    const isolated = isolate(text);
    if (isolated === text || isolated.length <= limit || room === 0) return isolated;
    room = Math.floor((room * limit) / isolated.length);
  }
}
