/** Processes a batch at once and returns a result for each item, in the same order. */
type RunBatch<T, R> = (items: T[]) => Promise<R[]>;

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Turns many calls into one statement: the calls made during a batch are collected and form the next. A single call
 * runs at once. When a batch fails, each of its items is tried alone, so that one bad item fails no other; `run` must
 * therefore be one transaction.
 */
export function inBatches<T, R>(run: RunBatch<T, R>, largest: number): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    // Calls in the same turn of the event loop form one batch.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, largest);
      waiting = waiting.slice(largest);
      await runBatch(run, batch);
    }
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runAll();
    });
}

async function runBatch<T, R>(run: RunBatch<T, R>, batch: Waiting<T, R>[]): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R);
  } catch (error) {
    const [only] = batch;
    if (batch.length === 1) only?.reject(error);
    else for (const one of batch) await runBatch(run, [one]);
  }
}
