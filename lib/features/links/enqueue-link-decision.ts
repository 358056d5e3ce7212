import { z } from 'zod';
import type { Transaction } from '@/lib/db/database';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';

export const tellLinkDecisionJob = defineJob({
  name: 'tell-link-decision',
  payload: z.object({
    requestId: z.string(),
    accountId: z.uuid(),
    discordUserId: z.string(),
    isApproved: z.boolean(),
  }),
  key: ['requestId'],
});

export type LinkDecision = z.infer<typeof tellLinkDecisionJob.payload>;

/** Enqueues a message to a person about the decision on their link request. */
export async function enqueueLinkDecision(tx: Transaction, decision: LinkDecision): Promise<void> {
  await enqueue(tx, tellLinkDecisionJob, decision);
}
