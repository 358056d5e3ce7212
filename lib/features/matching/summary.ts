import { z } from 'zod';
import { open, seal } from '@/lib/crypto';
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

const summarySchema = z
  .object({
    title: z.string(),
    url: z.string().nullable(),
    changes: z.array(z.object({ name: z.string(), before: z.string().nullable(), after: z.string() })),
    moreChanges: z.number().default(0),
    comment: keptCommentSchema.optional(),
    later: digestDetailsSchema.optional(),
  })
  .transform(shorten);

/**
 * What a delivery was about, as the list of deliveries shows it: its texts, cut like those of a card, and the number of
 * changes beyond the listed ones. A null `before` means that the old value is unknown.
 */
export type Summary = z.infer<typeof summarySchema>;
export type DigestDetails = z.infer<typeof digestDetailsSchema>;

export const purposeOf = (deliveryId: string) => `summary:${deliveryId}`;

export function sealSummary(deliveryId: string, summary: Summary): Uint8Array<ArrayBuffer> {
  return seal(JSON.stringify(summary), purposeOf(deliveryId));
}

/** Throws when the bytes were sealed for another delivery. */
export function openSummary(deliveryId: string, sealed: Uint8Array): Summary {
  return summarySchema.parse(JSON.parse(open(sealed, purposeOf(deliveryId))));
}

/** The summary of an event of a page. */
export function toSummary({ title, url }: Pick<Page, 'title' | 'url'>, changes: PropertyChange[]): Summary {
  const worded = changes.map(({ name, before, after }) => ({
    name,
    before: before && wordsOf(before),
    after: wordsOf(after),
  }));
  return shorten({ title, url: url || null, changes: worded, moreChanges: 0 });
}

interface Whole {
  title: string;
  url: string | null;
  changes: { name: string; before: string | null; after: string }[];
  moreChanges: number;
  comment?: z.infer<typeof keptCommentSchema> | undefined;
  later?: DigestDetails | undefined;
}

function shorten({ title, url, changes, moreChanges, comment, later }: Whole): Whole {
  return {
    ...(comment && { comment: { ...comment, text: fitComment(comment.text) } }),
    ...(later && { later }),
    title: fitName(title),
    url,
    changes: changes.slice(0, MAX_CHANGES).map(({ name, before, after }) => ({
      name: fitName(name),
      before: before && fitValue(before),
      after: fitValue(after),
    })),
    moreChanges: moreChanges + Math.max(0, changes.length - MAX_CHANGES),
  };
}

/** A value as a summary has it. */
export const summaryText = (value: PropertyValue) => fitValue(wordsOf(value));

const wordsOf = (value: PropertyValue) => value.text || (value.userNames ?? []).filter(Boolean).join(', ');
