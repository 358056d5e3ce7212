import { useEffect, useState } from 'react';
import { failureText } from './error-text';
import { log } from './log';

/** A button's action: whether it is running, why it last failed, and a function that runs it. Failures are logged. */
export function useAction(logged: string, told = (reason: unknown) => failureText(reason, logged)) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  // The browser may restore a page that was left from its cache, with the button still busy.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && setBusy(false);
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);

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

/** A promise that never resolves: an action that awaits it stays busy until the browser has left the page. */
export const gone = () => new Promise<never>(() => {});
