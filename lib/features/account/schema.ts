import { z } from 'zod';

/** GET /api/config: the configuration that the browser may see. */
export const appConfigSchema = z.object({
  environment: z.enum(['dev', 'production']),
  sentry: z.object({ dsn: z.string().nullable() }),
  auth0: z.object({
    domain: z.string(),
    clientId: z.string(),
    callbackUrl: z.string(),
    audience: z.string(),
  }),
  support: z.object({
    email: z.string().nullable(),
    inviteUrl: z.string().nullable(),
    docsUrl: z.string(),
  }),
});

const userSchema = z.object({
  email: z.string().nullable(),
  discordUsername: z.string().nullable(),
  discordUserId: z.string().nullable(),
  notionDisplayName: z.string().nullable(),
  /** Whether the user's own Discord identity is linked to a Notion user. */
  isLinked: z.boolean(),
});

const subscriptionSchema = z.object({
  plan: z.string(),
  status: z.string(),
  trial_ends_at: z.string().nullable(),
  notificationsUsed: z.number(),
  notificationsLimit: z.number(),
  rulesUsed: z.number(),
  rulesLimit: z.number(),
  /**
   * Confirmed messages of the current period by quarter of an hour, so that days of any time zone can be added up.
   */
  notificationsByQuarter: z.array(z.object({ at: z.string(), sent: z.number() })),
  periodStart: z.string(),
  periodEnd: z.string(),
  /** When a cancelled subscription ends; null while it renews, and without one. */
  cancelsAt: z.string().nullable(),
});

const checklistSchema = z.object({
  botInstalled: z.boolean(),
  workspaceConnected: z.boolean(),
  accountLinked: z.boolean(),
  firstRuleCreated: z.boolean(),
  firstTaskCreated: z.boolean(),
});

/** GET /api/app/me */
export const meSchema = z.object({
  user: userSchema,
  subscription: subscriptionSchema,
  checklist: checklistSchema,
  setup: z.object({ needsSetup: z.boolean() }),
});

export type AppConfig = z.infer<typeof appConfigSchema>;
export type Me = z.infer<typeof meSchema>;
export type Checklist = z.infer<typeof checklistSchema>;
