import { databasePool } from './database';

/** The partitions of a table, with the name of each as a statement takes it. */
export async function listPartitions(table: string): Promise<string[]> {
  const { rows } = await databasePool().query<{ part: string }>(
    'select inhrelid::regclass::text as part from pg_inherits where inhparent = $1::regclass',
    [table],
  );
  return rows.map(({ part }) => part);
}

/** Runs a statement that changes at most so many rows until it finds fewer. So nobody waits long for its locks. */
export async function inChunks(chunk: number, statement: string, values: string[]): Promise<void> {
  for (let changed = chunk; changed === chunk; ) {
    const { rowCount } = await databasePool().query(statement, values);
    changed = rowCount ?? 0;
  }
}
