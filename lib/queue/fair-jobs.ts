import type { Worker, WorkerEvents } from 'graphile-worker';
import { Prisma } from '../db/database';

/**
 * Keeps the jobs of one account from taking every place of this process: an account that works more jobs than places are
 * left gets no further one until that changes. So it has half of them while it is alone, and a newcomer finds one.
 */
export class FairJobs {
  /** The flags of the job that each worker has. */
  private readonly running = new Map<Worker, string[]>();
  private looking = Promise.resolve();
  private endLook: (() => void) | undefined;

  constructor(
    private readonly places: number,
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
   * The flags of accounts that get no further job now, for the queue's next look. One look ends, with a job or without,
   * before the next begins: of several at the same time, each would see the same places.
   */
  async forbidden(): Promise<string[]> {
    const before = this.looking;
    let end = () => {};
    this.looking = new Promise<void>((resolve) => {
      end = resolve;
    });
    await before;
    this.endLook = end;
    const left = this.places - this.running.size;
    const flags = [...this.running.values()].flat();
    return [...new Set(flags)].filter((flag) => flags.filter((each) => each === flag).length >= left);
  }
}

const ACCOUNT = 'account:';

/** Marks the jobs of an account. */
export const accountFlag = (accountId: string) => `${ACCOUNT}${accountId}`;

/** The flags of a job that is added, from its columns `account_id` and `payload`: whose it is. */
export const accountFlagsSql = Prisma.sql`array_remove(
  array[${Prisma.raw(`'${ACCOUNT}'`)} || coalesce(account_id, payload ->> 'accountId')], null)`;

/** Whose job it is by its flags; undefined when it is nobody's. */
export function accountOf(flags: Record<string, true> | null): string | undefined {
  const flag = Object.keys(flags ?? {}).find((each) => each.startsWith(ACCOUNT));
  return flag?.slice(ACCOUNT.length);
}
