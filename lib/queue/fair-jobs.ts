import type { Worker, WorkerEvents } from 'graphile-worker';
import { Prisma } from '../db/database';

/**
 * Keeps one account's jobs from taking all of a process's workers. An account gets no further job while it has at
 * least as many running jobs as there are idle workers: alone it uses half of the workers, and another account finds
 * one free.
 */
export class FairJobs {
  /** The flags of each worker's current job. */
  private readonly running = new Map<Worker, string[]>();
  private looking = Promise.resolve();
  private endLook: (() => void) | undefined;

  constructor(
    private readonly capacity: number,
    events: WorkerEvents,
  ) {
    events.on('job:start', ({ worker, job }) => {
      this.running.set(worker, Object.keys(job.flags ?? {}));
      this.endLook?.();
    });
    events.on('job:complete', ({ worker }) => this.running.delete(worker));
    events.on('worker:fatalError', ({ worker }) => this.running.delete(worker));
    events.on('worker:getJob:empty', () => this.endLook?.());
    events.on('worker:getJob:error', () => this.endLook?.());
  }

  /**
   * The flags of accounts that get no further job now, for the queue's next look. Looks run one after the other,
   * because simultaneous ones would count the same idle workers.
   */
  async forbidden(): Promise<string[]> {
    const before = this.looking;
    let end = () => {};
    this.looking = new Promise<void>((resolve) => {
      end = resolve;
    });
    await before;
    this.endLook = end;
    const left = this.capacity - this.running.size;
    const flags = [...this.running.values()].flat();
    return [...new Set(flags)].filter((flag) => flags.filter((each) => each === flag).length >= left);
  }
}

const ACCOUNT = 'account:';

/** The flag of the jobs of an account. */
export const accountFlag = (accountId: string) => `${ACCOUNT}${accountId}`;

/** The flags of an added job, from its columns `account_id` and `payload`. */
export const accountFlagsSql = Prisma.sql`array_remove(
  array[${Prisma.raw(`'${ACCOUNT}'`)} || coalesce(account_id, payload ->> 'accountId')], null)`;

/** The account of a job, from its flags; undefined when it has none. */
export function accountOf(flags: Record<string, true> | null): string | undefined {
  const flag = Object.keys(flags ?? {}).find((each) => each.startsWith(ACCOUNT));
  return flag?.slice(ACCOUNT.length);
}
