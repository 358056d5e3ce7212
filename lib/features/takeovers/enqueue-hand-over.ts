import { z } from 'zod';
import type { Transaction } from '@/lib/db/database';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';

export const handOverJob = defineJob({
  name: 'hand-over',
  payload: z.object({ takeoverId: z.uuid() }),
  key: ['takeoverId'],
});

/** Enqueues the move of a server to the account to which its holder handed it over. */
export async function enqueueHandOver(tx: Transaction, takeoverId: string, askerId: string): Promise<void> {
  await enqueue(tx, handOverJob, { takeoverId }, { accountId: askerId });
}
