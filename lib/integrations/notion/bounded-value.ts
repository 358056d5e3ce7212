import { hash } from '@/lib/crypto';
import { firstCharacters } from '@/lib/storable';

// More than the 1,024 characters that Discord shows of a value, so that the code that truncates a card knows it has to.
const MAX_TEXT = 1200;
// What Notion returns of a text in a page: 25 parts of 2,000 characters.
// https://developers.notion.com/reference/request-limits
export const MAX_LONG_TEXT = 50_000;
const MAX_KEY = 300;
// As many as Notion accepts in one write: https://developers.notion.com/reference/request-limits
export const MAX_LISTED = 100;
const HASH = /^[0-9a-f]{64}$/;

/** The parts of a value that may be long. */
interface LongValue {
  key: string;
  textKey?: string;
  text: string;
  userIds?: string[];
  userNames?: string[];
  userCount?: number;
  groupIds?: string[];
  ids?: string[];
}

/** The value with its text and lists cut to what can be shown, and its key replaced by a hash if it is long. */
export function boundValue<Value extends LongValue>(value: Value): Value {
  const { key, textKey, text, userIds, userNames = [], groupIds, ids } = value;
  return {
    ...value,
    key: boundKey(key),
    ...(textKey !== undefined && { textKey: boundKey(textKey) }),
    // Lists are searched by their ids, except for rolled-up ones.
    ...((userIds || ids) && textKey === undefined ? { text: beginningOf(text) } : boundText(text)),
    ...(userIds && {
      userIds: userIds.slice(0, MAX_LISTED),
      userNames: userNames.slice(0, MAX_LISTED).map(beginningOf),
    }),
    ...(userIds && userIds.length > MAX_LISTED && { userCount: userIds.length }),
    ...(groupIds && { groupIds: groupIds.slice(0, MAX_LISTED) }),
    ...(ids && { ids: ids.slice(0, MAX_LISTED) }),
  };
}

const boundKey = (key: string) => (key.length > MAX_KEY ? hash(key) : key);

/** A text cut to what can be shown, and if that is not all, as much of it as conditions search. */
export const boundText = (text: string): { text: string; longText?: string } => ({
  text: beginningOf(text),
  ...(text.length > MAX_TEXT && { longText: cut(text, MAX_LONG_TEXT) }),
});

interface Compared {
  key: string;
  textKey?: string;
}

/** Whether two values are equal, even if one has a hash for a key and the other the key itself. */
export function isSameValue(one: Compared, other: Compared): boolean {
  const [key, otherKey] = [keyAgainst(other, one), keyAgainst(one, other)];
  if (key === otherKey) return true;
  return HASH.test(key) !== HASH.test(otherKey) && digest(key) === digest(otherKey);
}

const keyAgainst = (other: Compared, { key, textKey = key }: Compared) =>
  other.textKey === undefined ? textKey : key;

/** A hash that is the same for all keys of equal values, whether or not the keys are hashes themselves. */
export const digest = (key: string) => (HASH.test(key) ? key : hash(key));

/**
 * The part of a text that can be shown. The cut may fall inside a grapheme cluster, but not inside a surrogate pair.
 */
export const beginningOf = (text: string): string => cut(text, MAX_TEXT);

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  // A slice would keep the whole text in memory.
  return Buffer.from(firstCharacters(text, max), 'utf16le').toString('utf16le');
}
