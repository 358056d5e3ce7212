import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../prisma/migrate';
import { freePort } from '../../scripts/port';
import { removeLeftovers, startThrowawayPostgres } from '../../scripts/throwaway-postgres';

declare module 'vitest' {
  interface ProvidedContext {
    templateUrl: string;
  }
}

/** Bundled programs, and databases that survive a restart. */
const FOLDER = '.pagewire/tests';

/** Starts one PostgreSQL for the whole run, with a migrated database for the tests to copy. */
export default async function startDatabase(project: TestProject): Promise<() => Promise<void>> {
  removeLeftovers(FOLDER);
  const postgres = await startThrowawayPostgres({ port: await freePort(), database: 'template' });
  await migrate(postgres.url);
  await closeConnections(postgres.url);
  project.provide('templateUrl', postgres.url);
  return () => postgres.remove();
}

/** A database can be copied only while nobody is connected to it. */
async function closeConnections(templateUrl: string): Promise<void> {
  const url = new URL(templateUrl);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'template'");
  await client.end();
}
