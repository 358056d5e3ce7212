import { after } from 'next/server';
import { processState } from '../process-state';
import { ownServer } from './own-server';

const answers = processState('afterAnswer', (): { work?: () => Promise<void> } => ({}));

/** Sets what this process does after each response. A host that stops processes between requests waits for it. */
export function doAfterAnswers(work: () => Promise<void>): void {
  answers.work = work;
}

/** Call this once for each request that a handler has answered. */
export function afterAnswer(): void {
  const { work } = answers;
  if (!work) return;
  if (ownServer()) setImmediate(() => void work());
  else after(work);
}
