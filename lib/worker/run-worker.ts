import { enqueueCommandRegistration } from '@/lib/features/connections/register-commands';
import { channelTurns } from '@/lib/features/notifications/deliver-channel';
import { pageTurns } from '@/lib/features/notifications/page-turns';
import { enqueueUpkeep } from '@/lib/features/notifications/retention';
import { startDuePasses } from '@/lib/features/notifications/schedule-passes';
import { spaceBotCalls } from '@/lib/features/notifications/send-slots';
import { hangBell } from '@/lib/queue/bell';
import { runQueue } from '@/lib/queue/run-queue';
import { runTurns } from '@/lib/queue/run-turns';
import { CRONTAB, jobs } from './jobs';

/**
 * Works jobs and turns in this process until stopped. One that lasts begins with what a process is started for; a
 * short one only works what is there.
 */
export async function startWorker({ isShort = false } = {}): Promise<{ stop(): Promise<void> }> {
  spaceBotCalls();
  const queue = await runQueue(jobs, CRONTAB);
  const bell = await hangBell();
  const turns = [runTurns(pageTurns(queue.lockKey), bell), runTurns(channelTurns(queue.lockKey), bell)];
  if (!isShort) await enqueueStartJobs();
  return {
    async stop() {
      await Promise.all(turns.map((turn) => turn.stop()));
      await bell.stop();
      await queue.stop();
    },
  };
}

/**
 * Has jobs register the bot's commands when they differ, make the partitions of the coming weeks, and look for what
 * happened while no worker ran.
 */
export async function enqueueStartJobs(): Promise<void> {
  await enqueueCommandRegistration();
  await enqueueUpkeep();
  await startDuePasses();
}
