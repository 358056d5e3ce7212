import { isLockTimeout, type Prisma } from '../db/database';
import { lockPatience } from '../db/planner-hints';
import { SECOND_MS } from '../time';
import { inBatches } from './in-batches';

/** Processes a batch in one statement, which sets the lock timeout `patience` before any lock. */
type RunBatch<T, R> = (items: T[], patience: Prisma.Sql) => Promise<R[]>;

const BRIEF = lockPatience(SECOND_MS / 2);
const PATIENT = lockPatience(10 * SECOND_MS);

/** The rows of an item's owner are locked. */
class Locked extends Error {}

/**
 * Like `inBatches`, for items that lock rows of their owner. A batch waits only briefly for a lock. Items of an owner
 * whose rows stay locked, because they are being deleted, wait in a separate queue, and the others proceed.
 */
export function inFairBatches<T, R>(
  run: RunBatch<T, R>,
  largest: number,
  ownerOf: (item: T) => string,
): (item: T) => Promise<R> {
  const queues = new Map<string, { add: (item: T) => Promise<R>; length: number }>();

  const queueOf = (owner: string) => {
    const queue = queues.get(owner) ?? { add: inBatches((own) => run(own, PATIENT), largest), length: 0 };
    queues.set(owner, queue);
    return queue;
  };

  async function waitInOwnQueue(owner: string, item: T): Promise<R> {
    const queue = queueOf(owner);
    queue.length += 1;
    try {
      return await queue.add(item);
    } finally {
      queue.length -= 1;
      if (queue.length === 0) queues.delete(owner);
    }
  }

  const together = inBatches(async (items: T[]) => {
    const [owner, ...others] = items.map(ownerOf);
    const isAlone = owner !== undefined && others.length === 0;
    if (isAlone && queues.has(owner)) throw new Locked();
    try {
      return await run(items, BRIEF);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (isAlone) queueOf(owner);
      throw new Locked();
    }
  }, largest);

  return async (item) => {
    const owner = ownerOf(item);
    if (queues.has(owner)) return waitInOwnQueue(owner, item);
    try {
      return await together(item);
    } catch (error) {
      if (error instanceof Locked) return waitInOwnQueue(owner, item);
      throw error;
    }
  };
}
