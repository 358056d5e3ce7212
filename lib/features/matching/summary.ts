import { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { open, seal } from '@/lib/crypto';
import { digest } from '@/lib/integrations/notion/bounded-value';
import type { Page } from '@/lib/integrations/notion/notion-page';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import type { PropertyChange } from './match';
import { eventTypeSchema } from './schema';
import { fitComment, fitName, fitValue } from './shown-value';

const MAX_CHANGES = 25;

/** A comment, so that its card can be made again. */
const keptCommentSchema = z.object({
  author: z.object({ notionUserId: z.string(), name: z.string() }).nullable(),
  text: z.string(),
  files: z.number(),
});

/** What a digest needs to tell a change later. */
const digestDetailsSchema = z.object({
  eventType: eventTypeSchema,
  /** The name of the page's status then; null without one. */
  status: z.string().nullable(),
  /** The Discord users whom its card would have pinged. */
  pings: z.array(z.string()),
  /** What its rule watched then: the id of a database or a page, empty for everything. */
  source: z.object({ id: z.string(), name: z.string() }).optional(),
});

const changeSchema = z.object({
  /** The property's id in Notion; absent in summaries of before this was kept. */
  propertyId: z.string().optional(),
  name: z.string(),
  before: z.string().nullable(),
  after: z.string(),
  /** Hashes of the values, if different values may have the same text. A null `before` means that it is unknown. */
  keys: z.object({ before: z.string().nullable(), after: z.string() }).optional(),
});

const summarySchema = z.object({
  title: z.string(),
  url: z.string().nullable(),
  changes: z.array(changeSchema),
  moreChanges: z.number().default(0),
  comment: keptCommentSchema.optional(),
  later: digestDetailsSchema.optional(),
});

/**
 * What a delivery was about, as the list of deliveries shows it: its texts, cut like those of a card, and the number of
 * changes beyond the listed ones. A null `before` means that the old value is unknown.
 */
export type Summary = z.infer<typeof summarySchema>;
export type DigestDetails = z.infer<typeof digestDetailsSchema>;
type Change = z.infer<typeof changeSchema>;

export const purposeOf = (deliveryId: string) => `summary:${deliveryId}`;

export function sealSummary(deliveryId: string, summary: Summary): Uint8Array<ArrayBuffer> {
  return seal(JSON.stringify(summary), purposeOf(deliveryId));
}

/** Throws when the bytes were sealed for another delivery. */
export function openSummary(deliveryId: string, sealed: Uint8Array): Summary {
  return shorten(summarySchema.parse(JSON.parse(open(sealed, purposeOf(deliveryId)))));
}

/** The summary of an event of a page. */
export function toSummary({ title, url }: Pick<Page, 'title' | 'url'>, changes: PropertyChange[]): Summary {
  const worded = changes.map(({ propertyId, name, before, after }) => ({
    propertyId,
    name,
    before: before && wordsOf(before),
    after: wordsOf(after),
    ...(ALIKE_TYPES.includes(after.type) && {
      keys: { before: before && shortKey(before), after: shortKey(after) },
    }),
  }));
  return shorten({ title, url: url || null, changes: worded, moreChanges: 0 });
}

// People may have the same name, and of linked pages only their number is known.
const ALIKE_TYPES = ['people', 'created_by', 'last_edited_by', 'relation', 'rollup', 'place'];
const KEY_LENGTH = 16;

const shortKey = ({ key }: PropertyValue) => digest(key).slice(0, KEY_LENGTH);

type PropertyRef = Pick<Change, 'propertyId' | 'name'>;

/** Whether both are the same property: by their ids, or by their names if one has no id. A property may be renamed. */
export const isSameProperty = (one: PropertyRef, other: PropertyRef): boolean =>
  one.propertyId !== undefined && other.propertyId !== undefined
    ? one.propertyId === other.propertyId
    : one.name === other.name;

/** Changes in their order, the earlier and the later ones of a property as one. */
export function joinChanges(changes: Change[]): Change[] {
  const joined: Change[] = [];
  for (const change of changes) {
    const at = joined.findIndex((known) => isSameProperty(known, change));
    const known = joined[at];
    if (known) joined[at] = joinTwo(known, change);
    else joined.push(change);
  }
  return joined;
}

const joinTwo = (first: Change, last: Change): Change => ({
  ...last,
  propertyId: last.propertyId ?? first.propertyId,
  before: first.before,
  ...(last.keys && { keys: { before: first.keys?.before ?? null, after: last.keys.after } }),
});

/** Whether a property now has another value than before, as far as is known. A shortened text may hide a difference. */
export const isLasting = ({ before, after, keys }: Change): boolean =>
  before === null || before !== after || after.endsWith('…') || (keys ? keys.before !== keys.after : false);

/** Whether a property still has the value that a change told; `texts` are the ways in which the value may be told. */
export const isStillTold = ({ after, keys }: Change, value: PropertyValue, texts: string[]): boolean =>
  keys ? keys.after === shortKey(value) : texts.includes(after);

function shorten({ title, url, changes, moreChanges, comment, later }: Summary): Summary {
  return {
    ...(comment && { comment: { ...comment, text: fitComment(comment.text) } }),
    ...(later && { later }),
    title: fitName(title),
    url,
    changes: changes.slice(0, MAX_CHANGES).map(({ name, before, after, ...rest }) => ({
      ...rest,
      name: fitName(name),
      before: before && fitValue(before),
      after: fitValue(after),
    })),
    moreChanges: moreChanges + Math.max(0, changes.length - MAX_CHANGES),
  };
}

/** A value as a summary has it. */
export const summaryText = (value: PropertyValue) => fitValue(wordsOf(value));

// A value's text has only the people whom Notion names.
const wordsOf = ({ text, userNames = [] }: PropertyValue) =>
  text && !userNames.includes('') ? text : userNames.map((name) => name || texts.someone).join(', ');
