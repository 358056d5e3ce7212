import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type EmbeddedPostgres, startPostgres } from '../scripts/embedded-postgres';
import type { Lifetime } from '../scripts/lifetime';
import { freePort } from '../scripts/port';

/** Starts a PostgreSQL with durable writes and no data, until the lifetime ends. */
export async function startDurablePostgres(lifetime: Lifetime): Promise<EmbeddedPostgres> {
  const folder = `.pagewire/bench/${randomUUID().slice(0, 8)}`;
  const postgres = await startPostgres({ folder, port: await freePort() });
  lifetime.add(postgres.remove);
  return postgres;
}

/** Opens connections to a database, until the lifetime ends. */
export function openDatabase(lifetime: Lifetime, connectionString: string): pg.Pool {
  const database = new pg.Pool({ connectionString });
  // The pool replaces a broken connection; without a listener its error would end the process.
  database.on('error', () => {});
  lifetime.add(() => database.end());
  return database;
}
