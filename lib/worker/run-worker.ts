import { setTimeout as sleep } from 'node:timers/promises';
import { spaceBotCalls } from '@/lib/features/calls/call-gate';
import { pageTurns } from '@/lib/features/changes/page-turns';
import { enqueueCommandRegistration } from '@/lib/features/connections/register-commands';
import { enqueueUpkeep } from '@/lib/features/deliveries/retention';
import { channelTurns } from '@/lib/features/outbox/channel-turns';
import { startDuePasses } from '@/lib/features/reconciliation/schedule-passes';
import { log } from '@/lib/log';
import { hangBell } from '@/lib/queue/bell';
import { runQueue } from '@/lib/queue/run-queue';
import { runTurns } from '@/lib/queue/run-turns';
import { SECOND_MS } from '@/lib/time';
import { CRONTAB, jobs } from './jobs';
import { TABLES } from './tables';

interface Work {
  stop(): Promise<void>;
}

const BEGIN_AGAIN_MS = SECOND_MS;

/**
 * Works jobs and turns in this process until stopped. One that lasts begins with what a process is started for; a
 * short one only works what is there. One that hung until the others gave it up begins anew.
 */
export async function startWorker({ isShort = false } = {}): Promise<Work> {
  spaceBotCalls();
  let isStopped = false;
  const endings: Promise<void>[] = [];
  let current = await beginWork(() => void beginAnew());

  async function beginAnew(): Promise<void> {
    log.warn('given up by the other workers after a standstill; beginning anew');
    // What is under way ends by itself: its leases are gone, and jobs may run twice.
    endings.push(current.stop().catch((err) => log.warn({ err }, 'work that was given up ended badly')));
    while (!isStopped) {
      try {
        current = await beginWork(() => void beginAnew());
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
  const bell = await hangBell();
  const turns = [runTurns(pageTurns(queue.lockKey), bell), runTurns(channelTurns(queue.lockKey), bell)];
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
