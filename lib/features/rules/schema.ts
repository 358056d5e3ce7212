import { z } from 'zod';
import { databaseTypeSchema } from '../connections/schema';
import { REFERENCES, type ReferringTerm, ruleTermsSchema } from '../matching/schema';

const inputSchema = ruleTermsSchema
  .extend({
    databaseId: z.string().min(1, 'Choose a database').max(100),
    dbType: databaseTypeSchema.optional(),
    channelId: z.string().min(1, 'Choose a channel').max(40),
  })
  .strict()
  .refine((input) => input.eventType !== 'page_updated' || input.watchedProperties.length > 0, {
    path: ['watchedProperties'],
    message: 'Please select at least one property to watch for page_updated events',
  });

/** Fields that only answers have. They are ignored when somebody sends a rule back as it was answered. */
const ANSWERED_ONLY = [
  'id',
  'databaseName',
  'databaseType',
  'channelName',
  'enabled',
  'watching',
  'lastDelivery',
  'health',
  'problems',
];

/** The body of POST /api/app/rules, and of PUT /api/app/rules/{id} when it edits a rule. */
export const ruleInputSchema = z.preprocess(withoutAnswered, inputSchema);

function withoutAnswered(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([field]) => !ANSWERED_ONLY.includes(field)));
}

/** The body of PUT /api/app/rules/{id} when it switches a rule on or off. */
export const ruleToggleSchema = z.strictObject({ enabled: z.boolean() });

const healthSchema = z.object({
  /**
   * off: switched off. broken: Notion no longer has something that it refers to. blocked: the channel or a connection
   * refuses its cards. held: the plan holds them. failed: its newest card failed. waiting: a card will be tried again.
   * settling: a new page is still being written. idle: nothing posted yet. posting: all is well.
   */
  state: z.enum(['off', 'broken', 'blocked', 'held', 'failed', 'waiting', 'settling', 'idle', 'posting']),
  /** Why, in words; null when the state says everything. */
  reason: z.string().nullable(),
  /** What the account holder can do about it; null for nothing. */
  fix: z.string().nullable(),
  /** When a waiting card is tried next. */
  until: z.string().nullable(),
});

/** Something that a rule refers to and Notion no longer has. `id` is the entry in the rule as the API returns it. */
const problemSchema = z.object({
  part: z.enum(['database', 'conditions', ...(Object.keys(REFERENCES) as ReferringTerm[])]),
  id: z.string(),
  text: z.string(),
});

export const ruleSchema = ruleTermsSchema.extend({
  /** Option names; the database stores ids. */
  statusTo: z.array(z.string()),
  id: z.string(),
  databaseId: z.string(),
  databaseName: z.string(),
  databaseType: databaseTypeSchema,
  dbType: databaseTypeSchema,
  channelId: z.string(),
  channelName: z.string(),
  enabled: z.boolean(),
  /** What it watches for, in words that follow the database's name. */
  watching: z.string(),
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
