import { enqueueCommandRegistration } from '@/lib/features/connections/register-commands';
import { runQueue } from '@/lib/queue/run-queue';
import { CRONTAB, jobs } from './jobs';

/** Works jobs in this process until stopped. The first is to register the bot's commands when they differ. */
export async function startWorker(): Promise<{ stop(): Promise<void> }> {
  const queue = await runQueue(jobs, CRONTAB);
  await enqueueCommandRegistration();
  return queue;
}
