import { z } from 'zod';
import { ruleInputSchema } from '../rules/schema';

/** How many days a rule is tried on, at most. */
export const DAYS_MAX = 7;
const DAYS = `days must be a whole number from 1 to ${DAYS_MAX}`;

/** The body of POST /api/app/rules/try: a rule that need not be saved, and the days before now. */
export const tryInputSchema = z.strictObject({
  rule: ruleInputSchema,
  days: z.int(DAYS).min(1, DAYS).max(DAYS_MAX, DAYS).default(DAYS_MAX),
});

const triedEventSchema = z.object({
  /** When it happened in Notion. */
  at: z.string(),
  pageId: z.string(),
  title: z.string(),
  url: z.string().nullable(),
  outcome: z.enum(['posted', 'skipped', 'unknown']),
  /**
   * Why it would not have been posted, or only counted, or why that is not known, in words; of a card that lives what a
   * later event does; null for a card of its own.
   */
  reason: z.string().nullable(),
  /** What the card would have said; a null value is one that nobody kept. */
  changes: z.array(
    z.object({ property: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
});

/** What a rule would have made of the events of its database, and of which of them nobody can say it. */
export const triedSchema = z.object({
  /** How many events there were. */
  events: z.number(),
  /** How many cards the rule would have posted. */
  cards: z.number(),
  /** In how many digests they would have come, by the account's clock as it is now; null when it posts at once. */
  digests: z.number().nullable(),
  /** Of how many events it is not known what became of them. */
  unknown: z.number(),
  /** The cards of each day in UTC, the earliest first. */
  perDay: z.array(z.object({ date: z.string(), cards: z.number() })),
  /** The events, newest first. */
  items: z.array(triedEventSchema),
  /** How far it looked, when it did not look at everything, in words. */
  note: z.string().nullable(),
});

export type TryInput = z.infer<typeof tryInputSchema>;
export type Tried = z.infer<typeof triedSchema>;
export type TriedEvent = z.infer<typeof triedEventSchema>;
