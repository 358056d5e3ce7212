import { databasePool } from './database';

/** The names of a table's partitions, quoted for use in a statement. */
export async function listPartitions(table: string): Promise<string[]> {
  const { rows } = await databasePool().query<{ part: string }>(
    'select inhrelid::regclass::text as part from pg_inherits where inhparent = $1::regclass',
    [table],
  );
  return rows.map(({ part }) => part);
}

/**
 * Repeats a statement that changes at most `chunk` rows until it changes fewer, so that its locks are short. It skips
 * locked rows, because the deletion of a rule or an account locks the same ones in another order.
 */
export async function inChunks(chunk: number, statement: string, values: string[]): Promise<void> {
  for (let changed = chunk; changed === chunk; ) {
    const { rowCount } = await databasePool().query(statement, values);
    changed = rowCount ?? 0;
  }
}
