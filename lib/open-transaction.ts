import { AsyncLocalStorage } from 'node:async_hooks';

interface Mark {
  isOpen: boolean;
}

// Kept on globalThis because Next loads this module once per bundle (routes, instrumentation).
const holder = globalThis as { pagewireOpenTransaction?: AsyncLocalStorage<Mark> };
holder.pagewireOpenTransaction ??= new AsyncLocalStorage();
const marks = holder.pagewireOpenTransaction;

/** Marks everything that runs within as holding a connection of the database, until it has ended. */
export async function whileTransactionOpen<T>(transact: () => Promise<T>): Promise<T> {
  const mark = { isOpen: true };
  try {
    return await marks.run(mark, transact);
  } finally {
    // What was started within and goes on holds nothing any more.
    mark.isOpen = false;
  }
}

/**
 * To be called before every call to somebody outside. Throws within a transaction: its connection and its locks
 * would be held until a stranger answers.
 */
export function requireNoTransaction(): void {
  if (marks.getStore()?.isOpen) {
    throw new Error('A call to an outside service within a transaction: claim, call, then write.');
  }
}
