import { setTimeout as sleep } from 'node:timers/promises';
import { spaceBotCalls } from '@/lib/features/calls/call-gate';
import { openSlots } from '@/lib/features/calls/send-slots';
import { pageTurns } from '@/lib/features/changes/page-turns';
import { upkeepJob } from '@/lib/features/deliveries/retention';
import { startDuePassesJob } from '@/lib/features/reconciliation/schedule-passes';
import { channelTurns } from '@/lib/features/sending/channel-turns';
import { registerCommandsJob } from '@/lib/features/servers/register-commands';
import { log } from '@/lib/log';
import { enqueueAlone } from '@/lib/queue/enqueue';
import { runQueue } from '@/lib/queue/run-queue';
import { runTurns } from '@/lib/queue/run-turns';
import { listenForTurns } from '@/lib/queue/turn-notifications';
import { SECOND_MS } from '@/lib/time';
import { CRONTAB, jobs } from './jobs';
import { TABLES } from './tables';

interface Work {
  stop(): Promise<void>;
}

const BEGIN_AGAIN_MS = SECOND_MS;

/**
 * Runs jobs and turns in this process until stopped. A long-lived worker first does what every start needs; a
 * short-lived one only works what is due. A worker that hung until others took over its work starts again.
 */
export async function startWorker({ isShort = false } = {}): Promise<Work> {
  await openSlots();
  spaceBotCalls();
  let isStopped = false;
  const endings: Promise<void>[] = [];
  let current = await beginWork(() => void beginAgain());

  async function beginAgain(): Promise<void> {
    log.warn('given up by the other workers after a standstill; beginning anew');
    // Work in progress ends by itself: its leases are gone, and jobs may run twice.
    endings.push(current.stop().catch((err) => log.warn({ err }, 'work that was given up ended badly')));
    while (!isStopped) {
      try {
        current = await beginWork(() => void beginAgain());
        if (isStopped) await current.stop();
        return;
      } catch (err) {
        log.error({ err }, 'not begun anew');
        await sleep(BEGIN_AGAIN_MS);
      }
    }
  }

  if (!isShort) await enqueueStartJobs();
  return {
    async stop() {
      isStopped = true;
      await Promise.all([...endings, current.stop()]);
    },
  };
}

async function beginWork(onGivenUp: () => void): Promise<Work> {
  const queue = await runQueue({ jobs, crontab: CRONTAB, tables: TABLES }, onGivenUp);
  const notifications = await listenForTurns().catch(async (error) => {
    await queue.stop();
    throw error;
  });
  const turns = [
    runTurns(pageTurns(queue.lockKey), notifications),
    runTurns(channelTurns(queue.lockKey), notifications),
  ];
  return {
    async stop() {
      await Promise.all(turns.map((turn) => turn.stop()));
      await notifications.stop();
      await queue.stop();
    },
  };
}

/**
 * Enqueues what every start needs: registering the bot's commands, making the partitions of the coming weeks, and
 * finding what happened while no worker ran.
 */
export async function enqueueStartJobs(): Promise<void> {
  for (const job of [registerCommandsJob, upkeepJob, startDuePassesJob]) {
    await enqueueAlone(job);
  }
}
