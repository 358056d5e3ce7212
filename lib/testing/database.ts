import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Creates a database with the newest schema and no rows. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(new URL(inject('templateUrl')).pathname.slice(1));
}

/** Creates a database with nothing in it, in another encoding if one is given. */
export function createEmptyDatabase({ encoding }: { encoding?: string } = {}): Promise<TestDatabase> {
  return createDatabase('template0', encoding && `ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C'`);
}

async function createDatabase(template: string, options = ''): Promise<TestDatabase> {
  const url = new URL(inject('templateUrl'));
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(url, `CREATE DATABASE "${name}" TEMPLATE "${template}" ${options}`);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => administer(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`),
  };
}

async function administer(server: URL, sql: string): Promise<void> {
  const url = new URL(server);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
