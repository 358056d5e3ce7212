import { Prisma } from '../db/database';
import { processState } from '../process-state';

/** A loop in this process that works turns of one kind. */
interface TurnLoop {
  /** Whether it could claim another turn now. */
  hasRoom(): boolean;
  wake(): void;
}

const loops = processState('turnLoops', () => new Map<string, Set<TurnLoop>>());

/** Lets this process take turns of one kind that it makes due itself. Returns a function that ends this. */
export function registerLocalLoop(name: string, loop: TurnLoop): () => void {
  const set = loops.get(name) ?? new Set();
  loops.set(name, set.add(loop));
  return () => set.delete(loop);
}

/** The loop of this process that can take the turns which a statement is about to make due without an announcement. */
export function localLoopFor(name: string): TurnLoop | undefined {
  return [...(loops.get(name) ?? [])].find((loop) => loop.hasRoom());
}

/**
 * A condition that is always true. With a loop, it stops `wake_pages` and `wake_channels` in this statement from
 * notifying anybody: wake the loop afterwards. Put it where it is evaluated before them.
 */
export const withoutNotify = (loop: TurnLoop | undefined): Prisma.Sql =>
  Prisma.sql`(select set_config('pagewire.heard', ${loop ? 'on' : ''}, true)) is not null`;
