import { z } from 'zod';
import { ruleInputSchema } from '../rules/schema';

/** The most days on which a rule is tried. */
const MAX_DAYS = 7;
const DAYS = `days must be a whole number from 1 to ${MAX_DAYS}`;

/** The body of POST /api/app/rules/try: a rule that need not be saved, and the days before now. */
export const tryInputSchema = z.strictObject({
  rule: ruleInputSchema,
  days: z.int(DAYS).min(1, DAYS).max(MAX_DAYS, DAYS).default(MAX_DAYS),
});

const triedEventSchema = z.object({
  /** When it happened in Notion. */
  at: z.string(),
  pageId: z.string(),
  title: z.string(),
  url: z.string().nullable(),
  outcome: z.enum(['posted', 'skipped', 'unknown']),
  /**
   * Why it would not have been posted or only counted, or why that is unknown, in words; for a later event of a living
   * card, what it does; null for an event with its own card.
   */
  reason: z.string().nullable(),
  /** What the card would have said; a null value is one that was not kept. */
  changes: z.array(
    z.object({ property: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
});

/** What a rule would have made of the events of its source, as far as that is known. */
export const triedSchema = z.object({
  /** How many events there were. */
  events: z.number(),
  /** How many cards the rule would have posted; all that quiet hours put off to one time is one. */
  cards: z.number(),
  /** How many digests would have told them, by the account's current clock; null when the rule posts at once. */
  digests: z.number().nullable(),
  /** The number of events for which the outcome is unknown. */
  unknown: z.number(),
  /** The cards of each day in UTC, earliest first. */
  perDay: z.array(z.object({ date: z.string(), cards: z.number() })),
  /** The events, newest first. */
  items: z.array(triedEventSchema),
  /** How far it looked, in words, if it did not look at everything. */
  note: z.string().nullable(),
});

export type TryInput = z.infer<typeof tryInputSchema>;
export type Tried = z.infer<typeof triedSchema>;
export type TriedEvent = z.infer<typeof triedEventSchema>;
