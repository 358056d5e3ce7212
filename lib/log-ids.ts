import { AsyncLocalStorage } from 'node:async_hooks';
import { processState } from './process-state';

/** The ids that are added to a line of the log. */
interface LogIds {
  requestId?: string;
  interactionId?: string;
  jobId?: string;
  job?: string;
}

const current = processState('logIds', () => ({ ids: new AsyncLocalStorage<LogIds>(), open: 0 }));

/** Adds ids to every line that is logged until `work` has ended. */
export async function withLogIds<T>(ids: LogIds, work: () => Promise<T>): Promise<T> {
  current.open += 1;
  try {
    return await current.ids.run({ ...current.ids.getStore(), ...ids }, work);
  } finally {
    current.open -= 1;
    // An async storage in use slows every promise of the process, including those of a burst of webhooks.
    if (current.open === 0) current.ids.disable();
  }
}

export const logIds = (): LogIds => current.ids.getStore() ?? {};
