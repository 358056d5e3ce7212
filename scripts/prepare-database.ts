import { PooledByTransaction, requireSessions } from '@/lib/db/require-sessions';
import { migrate } from '../prisma/migrate';
import { PlainError } from './plain-error';

/** Applies this version's migrations and returns their names. Throws one sentence when that is impossible. */
export async function prepareDatabase(address: string): Promise<string[]> {
  try {
    await requireSessions(address);
    return await migrate(address);
  } catch (error) {
    if (error instanceof PooledByTransaction) throw new PlainError(error.message);
    const reason = error instanceof Error && error.message ? error.message : error;
    throw new PlainError(`The database could not be brought up to date: ${reason}`);
  }
}
