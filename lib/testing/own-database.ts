import pg from 'pg';
import { afterAll, beforeAll, vi } from 'vitest';
import { closeDatabase } from '../db/database';
import { COMPLETE_ENVIRONMENT } from './complete-environment';
import { createTestDatabase, type TestDatabase } from './database';

/** Gives the tests of a file their own database. Returns a function that returns connections to it. */
export function withOwnDatabase(): () => pg.Pool {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url });
    // An ended pool does not wait until its connections are closed, so dropping the database may cut them.
    pool.on('error', () => {});
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  return () => pool;
}

/** Makes this process use a separate database during the tests of a file, with a complete environment. */
export function connectToOwnDatabase(): void {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    for (const [name, value] of Object.entries(COMPLETE_ENVIRONMENT)) vi.stubEnv(name, value);
    vi.stubEnv('DATABASE_URL', database.url);
  });
  afterAll(async () => {
    await closeDatabase();
    await database.drop();
  });
}
