import { Prisma } from '../db/database';
import { processState } from '../process-state';

/** The loop of this process that works turns of a name. */
interface Hearer {
  /** Whether it could claim another turn now. */
  hasRoom(): boolean;
  wake(): void;
}

const hearers = processState('hearers', () => new Map<string, Set<Hearer>>());

/** Lets this process take the turns of a name that it makes due itself. Returns a function that ends this. */
export function hearHere(name: string, hearer: Hearer): () => void {
  const set = hearers.get(name) ?? new Set();
  hearers.set(name, set.add(hearer));
  return () => set.delete(hearer);
}

/** Who takes the turns that a statement is about to make due, in this process: then no other needs to be told. */
export function hearerOf(name: string): Hearer | undefined {
  return [...(hearers.get(name) ?? [])].find((hearer) => hearer.hasRoom());
}

/**
 * A condition that is always true. While there is a hearer, `wake_pages` and `wake_channels` announce nothing in this
 * statement: wake the hearer when it has ended. Put it where it is evaluated before them.
 */
export const heardBy = (hearer: Hearer | undefined): Prisma.Sql =>
  Prisma.sql`(select set_config('pagewire.heard', ${hearer ? 'on' : ''}, true)) is not null`;
