import { z } from 'zod';

/** GET /api/app/billing */
export const billingSchema = z.object({
  subscription: z.object({
    plan: z.string(),
    status: z.string(),
    isTrialActive: z.boolean(),
    trialEndsAt: z.string().nullable(),
    /** Whose earlier trial it continues; null when it has its own. */
    trialSharedWith: z.enum(['person', 'server', 'workspace']).nullable(),
    /** Whether another account shares it, because it has the same person or workspace. */
    isTrialShared: z.boolean(),
    /** When the subscription is charged next; null while there is none, or when it ends instead. */
    renewsAt: z.string().nullable(),
    /** When a cancelled subscription ends; null while it renews. */
    cancelsAt: z.string().nullable(),
    stripeSubscriptionId: z.string().nullable(),
    /** Whether a subscription waits for its first payment while none is live. */
    isFirstPaymentOpen: z.boolean(),
  }),
  usage: z.object({
    notificationsUsed: z.number(),
    notificationsLimit: z.number(),
    periodStart: z.string(),
    periodEnd: z.string(),
  }),
});

/** GET /api/app/billing/periods: every period with usage, the newest first. */
export const usagePeriodSchema = z.object({
  periodStart: z.string(),
  periodEnd: z.string(),
  notificationsUsed: z.number(),
  notificationsLimit: z.number(),
});

// PostgreSQL's calendar has no year 0.
const isStorableTime = (time: string) => !time.startsWith('0000');

/** The path of GET /api/app/billing/periods/{periodStart}. */
export const ledgerParamsSchema = z.object({ periodStart: z.iso.datetime().refine(isStorableTime) });

/** One message that was counted. */
const ledgerEntrySchema = z.object({
  channelId: z.string(),
  messageId: z.string().nullable(),
  /** The rule that it was sent for; null once the rule is deleted. */
  ruleId: z.string().nullable(),
  sentAt: z.string().nullable(),
});

export type UsagePeriod = z.infer<typeof usagePeriodSchema>;
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;
export type Billing = z.infer<typeof billingSchema>;
