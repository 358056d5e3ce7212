import { createHash } from 'node:crypto';
import { compactId, notionIdSchema } from '@/lib/integrations/notion/notion-id';
import { type Action, propertySetBy } from '../actions/words';

/** A button of a rule's card, as its custom id names it. */
export interface ActionTarget {
  ruleId: string;
  pageId: string;
  /** See `keyOf`. */
  key: string;
}

const ID = /^[0-9a-f]{32}$/;
const KEY = /^[a-z_]{1,20}$|^[0-9a-f]{12}$/;

/**
 * An action in a custom id, in which an id of Notion's would not always fit: its name, or the beginning of the hash of
 * the property that it sets.
 */
export function keyOf(action: Action): string {
  const propertyId = propertySetBy(action);
  return propertyId === null ? action : createHash('sha256').update(propertyId).digest('hex').slice(0, 12);
}

/** The parts of a custom id that name a button of a rule's card, in at most 86 characters. */
export const actionTarget = ({ ruleId, pageId, key }: ActionTarget) =>
  `${key}:${compactId(ruleId)}:${compactId(pageId)}`;

/** The button that the parts of a custom id name; null when they name none. */
export function toActionTarget([key = '', ruleId = '', pageId = '']: string[]): ActionTarget | null {
  if (!KEY.test(key) || !ID.test(ruleId) || !ID.test(pageId)) return null;
  return { key, ruleId: notionIdSchema.parse(ruleId), pageId: notionIdSchema.parse(pageId) };
}
