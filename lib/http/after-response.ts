import { processState } from '../process-state';
import { ownServer } from './own-server';

type Work = () => Promise<void>;

const responses = processState('afterResponse', (): { work?: Work; after?: (work: Work) => void } => ({}));

/**
 * Sets what this process does after each response. `after` is Next's: a host that stops processes between requests
 * waits for what it is given.
 */
export function doAfterResponses(work: Work, after: (work: Work) => void): void {
  Object.assign(responses, { work, after });
}

/** Call this once for each request, when it arrives. A process that lives on does the work at once, beside the request. */
export function afterResponse(): void {
  const { work, after } = responses;
  if (!work) return;
  if (ownServer()) setImmediate(() => void work());
  else after?.(work);
}
