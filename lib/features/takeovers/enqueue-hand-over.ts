import type { Transaction } from '@/lib/db/database';
import { enqueue } from '@/lib/queue/enqueue';

export interface HandOverJob {
  takeoverId: string;
}

export const handOverKey = ({ takeoverId }: HandOverJob) => `hand-over:${takeoverId}`;

/** Has a job give a server to whom its holder handed it over. */
export async function enqueueHandOver(tx: Transaction, takeoverId: string): Promise<void> {
  const key = handOverKey({ takeoverId });
  await enqueue(tx, { name: 'hand-over', payload: { takeoverId }, key, queue: key });
}
