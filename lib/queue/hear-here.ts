import { Prisma } from '../db/database';
import { processState } from '../process-state';

/** A loop in this process that works turns of one kind. */
interface Hearer {
  /** Whether it could claim another turn now. */
  hasRoom(): boolean;
  wake(): void;
}

const hearers = processState('hearers', () => new Map<string, Set<Hearer>>());

/** Lets this process take turns of one kind that it makes due itself. Returns a function that ends this. */
export function hearHere(name: string, hearer: Hearer): () => void {
  const set = hearers.get(name) ?? new Set();
  hearers.set(name, set.add(hearer));
  return () => set.delete(hearer);
}

/** The loop of this process that can take the turns which a statement is about to make due without an announcement. */
export function hearerOf(name: string): Hearer | undefined {
  return [...(hearers.get(name) ?? [])].find((hearer) => hearer.hasRoom());
}

/**
 * A condition that is always true. With a hearer, it stops `wake_pages` and `wake_channels` in this statement from
 * notifying anybody: wake the hearer afterwards. Put it where it is evaluated before them.
 */
export const heardBy = (hearer: Hearer | undefined): Prisma.Sql =>
  Prisma.sql`(select set_config('pagewire.heard', ${hearer ? 'on' : ''}, true)) is not null`;
