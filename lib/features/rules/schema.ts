import { z } from 'zod';

export const EVENT_TYPES = ['page_created', 'page_updated'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

const list = z.array(z.string().min(1).max(200)).max(100);

/** The body of POST /api/app/rules and of an edit by PUT /api/app/rules/{id}. */
export const ruleInputSchema = z
  .object({
    databaseId: z.string().min(1, 'Choose a database').max(100),
    dbType: z.enum(['task', 'page']).optional(),
    eventType: z.enum(EVENT_TYPES),
    channelId: z.string().min(1, 'Choose a channel').max(40),
    watchedProperties: list.default([]),
    statusTo: list.default([]),
    displayedFields: list.default([]),
    /** Whether a new page is posted at once and its card completed later, instead of when it has settled. */
    atOnce: z.boolean().default(false),
  })
  .refine((input) => input.eventType !== 'page_updated' || input.watchedProperties.length > 0, {
    path: ['watchedProperties'],
    message: 'Please select at least one property to watch for page_updated events',
  });

/** The body with which the switch turns a rule on or off. */
export const ruleToggleSchema = z.strictObject({ enabled: z.boolean() });

/** Ids come in watchedProperties and displayedFields, option names in statusTo. */
export const ruleSchema = z.object({
  id: z.string(),
  databaseId: z.string(),
  databaseName: z.string(),
  databaseType: z.enum(['task', 'page']),
  dbType: z.enum(['task', 'page']),
  eventType: z.enum(EVENT_TYPES),
  channelId: z.string(),
  channelName: z.string(),
  enabled: z.boolean(),
  watchedProperties: z.array(z.string()),
  statusTo: z.array(z.string()),
  displayedFields: z.array(z.string()),
  atOnce: z.boolean(),
  /** The newest delivery of this rule, or null before the first. */
  lastDelivery: z
    .object({
      state: z.enum(['waiting', 'sent', 'held', 'failed']),
      reason: z.string().nullable(),
      at: z.string(),
    })
    .nullable(),
});

export type RuleInput = z.infer<typeof ruleInputSchema>;
export type Rule = z.infer<typeof ruleSchema>;
