import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';
import { keepsSessions, requireSessions } from './require-sessions';

let database: TestDatabase;
let servers: pg.Client[];

beforeAll(async () => {
  database = await createTestDatabase();
  servers = await Promise.all([1, 2, 3].map(() => connect()));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end()));
  await database.drop();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
}

/**
 * Behaves like a transaction pooler: hands out the connection that was released last and keeps it until the transaction
 * ends.
 */
function transactionPooler(free: pg.Client[]) {
  return async () => {
    let held: pg.Client | undefined;
    return {
      async query(text: string) {
        const server = held ?? free.pop();
        // The message of pg when a query times out.
        if (!server) throw new Error('Query read timeout');
        const answer = await server.query(text);
        if (text === 'begin') held = server;
        if (text === 'rollback') held = undefined;
        if (!held) free.push(server);
        return answer;
      },
      end: async () => {},
    };
  };
}

test('PostgreSQL itself keeps sessions', async () => {
  await expect(requireSessions(database.url)).resolves.toBeUndefined();
});

test('a transaction pooler does not, however many connections it has', async () => {
  expect(await keepsSessions(transactionPooler([...servers]))).toBe(false);
  expect(await keepsSessions(transactionPooler(servers.slice(0, 1)))).toBe(false);
});

test('a session pooler does', async () => {
  const free = [...servers];
  const open = async () => {
    const server = free.pop() as pg.Client;
    return { query: (text: string) => server.query(text), end: async () => {} };
  };
  expect(await keepsSessions(open)).toBe(true);
});
