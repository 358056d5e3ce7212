import { hash } from '@/lib/crypto';
import type { PropertyValue } from './property-value';

// More than Discord shows of any value, 1,024 characters, so that whoever cuts it there sees that there was more.
const TEXT_MAX = 1200;
const KEY_MAX = 300;
// As many as Notion takes in one write: https://developers.notion.com/reference/request-limits
const PEOPLE_MAX = 100;
const HASH = /^[0-9a-f]{64}$/;

/** The value with so much of its text and its people as can be shown, and a hash where its key is long. */
export function boundValue(value: PropertyValue): PropertyValue {
  const { key, text, userIds, userNames = [] } = value;
  return {
    ...value,
    key: key.length > KEY_MAX ? hash(key) : key,
    text: beginningOf(text),
    ...(userIds && {
      userIds: userIds.slice(0, PEOPLE_MAX),
      userNames: userNames.slice(0, PEOPLE_MAX).map(beginningOf),
    }),
    ...(userIds && userIds.length > PEOPLE_MAX && { userCount: userIds.length }),
  };
}

/** Whether two values are the same, one of which may have a hash for a key where the other has it in full. */
export function isSameValue(one: Pick<PropertyValue, 'key'>, other: Pick<PropertyValue, 'key'>): boolean {
  if (one.key === other.key) return true;
  return HASH.test(one.key) !== HASH.test(other.key) && digest(one.key) === digest(other.key);
}

const digest = (key: string) => (HASH.test(key) ? key : hash(key));

/** So much of a text as is kept in memory. It may end within a character that is made of several. */
export function beginningOf(text: string): string {
  if (text.length <= TEXT_MAX) return text;
  const cut = text.slice(0, TEXT_MAX).replace(/[\uD800-\uDBFF]$/, '');
  // A slice would keep the whole text alive.
  return Buffer.from(cut, 'utf16le').toString('utf16le');
}
