import { AsyncLocalStorage } from 'node:async_hooks';
import { processState } from './process-state';

interface Mark {
  isOpen: boolean;
}

const open = processState('openTransactions', () => ({ marks: new AsyncLocalStorage<Mark>(), count: 0 }));

/** Marks everything that runs inside `transact` as holding a database connection, until it has ended. */
export async function whileTransactionOpen<T>(transact: () => Promise<T>): Promise<T> {
  const mark = { isOpen: true };
  open.count += 1;
  try {
    return await open.marks.run(mark, transact);
  } finally {
    // Work that was started inside and outlives the transaction holds nothing any more.
    mark.isOpen = false;
    open.count -= 1;
    // An async storage in use slows every promise of the process, including those of a burst of webhooks.
    if (open.count === 0) open.marks.disable();
  }
}

/**
 * Call this before every call to an outside service. Throws within a transaction, which would hold its connection and
 * locks until the service answers.
 */
export function requireNoTransaction(): void {
  if (open.marks.getStore()?.isOpen) {
    throw new Error('A call to an outside service within a transaction: claim, call, then write.');
  }
}
