import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database';

let made: TestDatabase[] = [];

afterEach(async () => {
  await Promise.all(made.map((database) => database.drop()));
  made = [];
});

async function connect(): Promise<Client> {
  const database = await createTestDatabase();
  made.push(database);
  const client = new Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

test('each test database has the newest schema and shares no rows with another', async () => {
  const [first, second] = [await connect(), await connect()];
  await first.query('CREATE TABLE only_here (id int)');
  const { rows } = await second.query(
    "SELECT to_regclass('only_here') AS here, to_regclass('_prisma_migrations') AS schema",
  );
  expect(rows).toEqual([{ here: null, schema: '_prisma_migrations' }]);
  await Promise.all([first.end(), second.end()]);
});
