import { Prisma, runStatement } from '@/lib/db/database';
import { inTime } from '@/lib/in-time';
import { SECOND_MS } from '@/lib/time';

const PATIENCE_MS = 5 * SECOND_MS;

/** What the database answers. Throws when it has not answered within five seconds; somebody waits to hear of that. */
export const askDatabase = <T>(answer: Promise<T>): Promise<T> =>
  inTime(PATIENCE_MS, answer, () => new Error('the database has not answered in time'));

// Nothing that needs a lock on this table runs for long. A connection on which a statement failed is not used again, so
// the next one goes to the server that the address names by then.
const WOULD_WRITE = Prisma.sql`select from _prisma_migrations where false for update`;

/** Throws when the database only reads, as a standby does, or has not answered within five seconds. */
export async function requireWritable(): Promise<void> {
  await askDatabase(runStatement(WOULD_WRITE));
}
