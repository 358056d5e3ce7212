import { z } from 'zod';

/** GET /api/app/billing */
export const billingSchema = z.object({
  subscription: z.object({
    plan: z.string(),
    status: z.string(),
    isTrialActive: z.boolean(),
    trialEndsAt: z.string().nullable(),
    renewsAt: z.string().nullable(),
    stripeSubscriptionId: z.string().nullable(),
  }),
  usage: z.object({
    notificationsUsed: z.number(),
    notificationsLimit: z.number(),
    periodStart: z.string(),
    periodEnd: z.string(),
  }),
});

export type Billing = z.infer<typeof billingSchema>;
