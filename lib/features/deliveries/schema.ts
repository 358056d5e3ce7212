import { z } from 'zod';
import { eventTypeSchema } from '../matching/schema';

const DELIVERY_STATES = ['settling', 'waiting', 'sent', 'held', 'failed', 'skipped'] as const;

/** The filters of a list of deliveries. */
const DELIVERY_VIEWS = ['all', 'posted', 'failed', 'skipped'] as const;

const MAX_LIMIT = 100;
const LIMIT = `limit must be a whole number from 1 to ${MAX_LIMIT}`;

const limitSchema = (usual: number) =>
  z.coerce.number(LIMIT).int(LIMIT).min(1, LIMIT).max(MAX_LIMIT, LIMIT).default(usual);

/** The query of GET /api/app/rules/{id}/deliveries. `before` is the `nextCursor` of the page before. */
export const deliveryQuerySchema = z.object({
  before: z
    .string()
    .regex(/^\d{1,18}$/, 'before must be a cursor that an earlier page gave')
    .optional(),
  limit: limitSchema(30),
  show: z.enum(DELIVERY_VIEWS, `show must be one of ${DELIVERY_VIEWS.join(', ')}`).default('all'),
});

/** How far a message to one of several people got. */
const PERSON_STATES = ['waiting', 'sent', 'held', 'failed', 'skipped'] as const;

/** GET /api/app/rules/{id}/deliveries/{deliveryId} */
export const deliverySchema = z.object({
  id: z.string(),
  state: z.enum(DELIVERY_STATES),
  /** Why it waits, was held, failed or was skipped, in words; null when the state says it all. */
  reason: z.string().nullable(),
  /** Code of the reason, for a skipped one. */
  reasonCode: z.string().nullable(),
  title: z.string(),
  url: z.string().nullable(),
  changes: z.array(z.object({ name: z.string(), before: z.string().nullable(), after: z.string() })),
  /** How many more properties changed than are listed. */
  moreChanges: z.number(),
  /** Whether its title and changes are no longer kept. */
  areDetailsGone: z.boolean(),
  /** When it happened in Notion. */
  at: z.string(),
  /** When Discord confirmed it, or it was held or given up. */
  finishedAt: z.string().nullable(),
  /** Null once the event itself is no longer kept. */
  eventType: eventTypeSchema.nullable(),
  /** Both are null for a rule to people. */
  channelId: z.string().nullable(),
  channelName: z.string().nullable(),
  /** Where it was or is to be posted, in words. */
  place: z.string(),
  /** The people whom it concerns, and what became of it for each; empty for a channel. */
  people: z.array(
    z.object({ name: z.string(), state: z.enum(PERSON_STATES), reason: z.string().nullable() }),
  ),
  nextTryAt: z.string().nullable(),
  attempts: z.number(),
  messageUrl: z.string().nullable(),
  /** Whether its card is still kept and may be sent again. */
  canResend: z.boolean(),
});

/** GET /api/app/rules/{id}/deliveries, newest first. */
export const deliveryPageSchema = z.object({
  deliveries: z.array(deliverySchema),
  nextCursor: z.string().nullable(),
});

const ACTIVITY_OUTCOMES = ['posted', 'settling', 'waiting', 'held', 'failed', 'skipped'] as const;

/** An optional input; an empty one counts as absent. */
const unlessEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** The query of GET /api/app/activity. `before` is the `next` of the page before. */
export const activityQuerySchema = z.object({
  before: unlessEmpty(
    z.string().regex(/^\d{1,19}\.\d{1,15}$/, 'before must be a cursor that an earlier page gave'),
  ),
  limit: limitSchema(50),
  rule: unlessEmpty(z.uuid('rule must be the id of a rule')),
  channel: unlessEmpty(z.string().max(40, 'channel must be the id of a channel')),
  outcome: unlessEmpty(z.enum(ACTIVITY_OUTCOMES, `outcome must be one of ${ACTIVITY_OUTCOMES.join(', ')}`)),
  /** Who caused the event. */
  person: unlessEmpty(z.string().max(64, 'person must be the id of a Notion user')),
  /** A part of the title. */
  text: unlessEmpty(z.string().trim().max(200, 'text must have at most 200 characters')),
});

const activityItemSchema = z.object({
  id: z.string(),
  /** When it happened in Notion. */
  at: z.string(),
  /** Null once the event itself is no longer kept. */
  eventType: eventTypeSchema.nullable(),
  /** Null for a card that told of several pages, once its details are no longer kept. */
  pageId: z.string().nullable(),
  title: z.string(),
  url: z.string().nullable(),
  ruleId: z.string(),
  ruleName: z.string(),
  /** Both are null for a rule to people. */
  channelId: z.string().nullable(),
  channelName: z.string().nullable(),
  /** Where it was or is to be posted, in words. */
  place: z.string(),
  outcome: z.enum(ACTIVITY_OUTCOMES),
  /** Why it waits, was held, failed or was skipped, in words; null when the outcome says it all. */
  reason: z.string().nullable(),
  changes: z.array(z.object({ property: z.string(), before: z.string().nullable(), after: z.string() })),
});

/**
 * GET /api/app/activity, newest first. A page may have fewer items than asked for, or none, although there are more to
 * look at: only a null `next` is the end.
 */
export const activityPageSchema = z.object({
  items: z.array(activityItemSchema),
  next: z.string().nullable(),
});

/** The cursor behind an entry, which names its position and its time. */
export const activityCursor = ({ sequence, at }: { sequence: bigint; at: Date }) =>
  `${sequence}.${at.getTime()}`;

/** The time of the last entry that was looked at for a page with this `next`. */
export const lookedBackTo = (next: string): Date => new Date(Number(next.split('.')[1]));

export type DeliveryQuery = z.infer<typeof deliveryQuerySchema>;
export type DeliveryView = DeliveryQuery['show'];
export type DeliveryEntry = z.infer<typeof deliverySchema>;
export type DeliveryPage = z.infer<typeof deliveryPageSchema>;
export type ActivityQuery = z.infer<typeof activityQuerySchema>;
export type ActivityOutcome = (typeof ACTIVITY_OUTCOMES)[number];
export type ActivityItem = z.infer<typeof activityItemSchema>;
export type ActivityPage = z.infer<typeof activityPageSchema>;
