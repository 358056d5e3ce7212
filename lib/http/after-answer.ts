import { after } from 'next/server';
import { ownServer } from './own-server';

// Kept on globalThis because Next loads this module once per bundle (routes, instrumentation).
const holder = globalThis as { pagewireAfterAnswer?: () => Promise<void> };

/** Sets what this process does after each response; a host that stops it between requests waits for that. */
export function doAfterAnswers(work: () => Promise<void>): void {
  holder.pagewireAfterAnswer = work;
}

/** Call this once for each request that a handler has answered. */
export function afterAnswer(): void {
  const { pagewireAfterAnswer: work } = holder;
  if (!work) return;
  if (ownServer()) setImmediate(() => void work());
  else after(work);
}
