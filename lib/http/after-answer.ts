import { processState } from '../process-state';
import { ownServer } from './own-server';

type Work = () => Promise<void>;

const answers = processState('afterAnswer', (): { work?: Work; after?: (work: Work) => void } => ({}));

/**
 * Sets what this process does after each response. `after` is Next's: a host that stops processes between requests
 * waits for what it is given.
 */
export function doAfterAnswers(work: Work, after: (work: Work) => void): void {
  Object.assign(answers, { work, after });
}

/** Call this once for each request that a handler has answered. */
export function afterAnswer(): void {
  const { work, after } = answers;
  if (!work) return;
  if (ownServer()) setImmediate(() => void work());
  else after?.(work);
}
