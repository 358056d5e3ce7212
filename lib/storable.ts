/** Whether PostgreSQL can store a text: it has neither the character 0 nor an unpaired surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !/\p{Surrogate}/u.test(text);

/** The first characters of a text, at most `max`: one fewer where the cut would fall inside a surrogate pair. */
export const firstCharacters = (text: string, max: number): string =>
  text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');

const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;
const ESCAPES = /\\(?:ud[89ab]..\\ud[c-f]..|(u0000|ud[89a-f]..)|.)/gi;

/** The same JSON with texts that can be stored: U+FFFD stands for each character that PostgreSQL would refuse. */
export const withStorableTexts = (json: string): string =>
  UNSTORABLE.test(json) ? json.replace(ESCAPES, (found, refused) => (refused ? '\\ufffd' : found)) : json;
