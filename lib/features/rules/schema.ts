import { z } from 'zod';
import { databaseTypeSchema } from '../connections/schema';
import { REFERENCES, type ReferringTerm, ruleTermsSchema } from '../matching/schema';

/** The body of POST /api/app/rules and of an edit by PUT /api/app/rules/{id}. */
export const ruleInputSchema = ruleTermsSchema
  .extend({
    databaseId: z.string().min(1, 'Choose a database').max(100),
    dbType: databaseTypeSchema.optional(),
    channelId: z.string().min(1, 'Choose a channel').max(40),
  })
  .refine((input) => input.eventType !== 'page_updated' || input.watchedProperties.length > 0, {
    path: ['watchedProperties'],
    message: 'Please select at least one property to watch for page_updated events',
  });

/** The body with which the switch turns a rule on or off. */
export const ruleToggleSchema = z.strictObject({ enabled: z.boolean() });

const healthSchema = z.object({
  /**
   * off: switched off. broken: what it needs is gone from Notion. blocked: the channel or a connection refuses.
   * held: the plan. failed: the newest card failed. waiting: a card will be tried again. settling: a new page is
   * being written. idle: nothing posted yet. posting: all is well.
   */
  state: z.enum(['off', 'broken', 'blocked', 'held', 'failed', 'waiting', 'settling', 'idle', 'posting']),
  /** Why, in words; null when the state says it all. */
  reason: z.string().nullable(),
  /** How the account holder mends it; null when there is nothing to do. */
  mend: z.string().nullable(),
  /** When a waiting card is tried next. */
  until: z.string().nullable(),
});

/** Something that a rule needs and Notion no longer has. `id` is how the rule in an answer lists it. */
const problemSchema = z.object({
  part: z.enum(['database', ...(Object.keys(REFERENCES) as ReferringTerm[])]),
  id: z.string(),
  text: z.string(),
});

export const ruleSchema = ruleTermsSchema.extend({
  /** Names, where the terms that are stored have ids. */
  statusTo: z.array(z.string()),
  id: z.string(),
  databaseId: z.string(),
  databaseName: z.string(),
  databaseType: databaseTypeSchema,
  dbType: databaseTypeSchema,
  channelId: z.string(),
  channelName: z.string(),
  enabled: z.boolean(),
  /** The newest card of this rule, or null before the first. */
  lastDelivery: z
    .object({
      state: z.enum(['settling', 'waiting', 'sent', 'held', 'failed']),
      reason: z.string().nullable(),
      at: z.string(),
    })
    .nullable(),
  health: healthSchema,
  problems: z.array(problemSchema),
});

export type RuleInput = z.infer<typeof ruleInputSchema>;
export type Rule = z.infer<typeof ruleSchema>;
export type RuleHealth = z.infer<typeof healthSchema>;
export type RuleProblem = z.infer<typeof problemSchema>;
