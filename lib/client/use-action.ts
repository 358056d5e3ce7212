import { useState } from 'react';
import { failureText } from './error-text';
import { log } from './log';

/** What a button does: whether it is being done, why it failed last, and how to do it. A failure is logged and put in words. */
export function useAction(logged: string, told = (reason: unknown) => failureText(reason, logged)) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (reason) {
      log.error(logged, reason);
      setError(told(reason));
    }
    setBusy(false);
  }

  return { busy, error, run, forget: () => setError(null) };
}

/** Never comes: what awaits it stays busy until the browser has left the page. */
export const gone = () => new Promise<never>(() => {});
