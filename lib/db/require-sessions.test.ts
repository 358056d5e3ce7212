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

/** What a pool by transaction gives: the connection that was freed last, kept until the end of a transaction. */
function poolByTransaction(free: pg.Client[]) {
  return async () => {
    let held: pg.Client | undefined;
    return {
      async query(text: string) {
        const server = held ?? free.pop();
        // As pg says it when no answer comes.
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

test('an address of PostgreSQL itself keeps sessions', async () => {
  await expect(requireSessions(database.url)).resolves.toBeUndefined();
});

test('a pool by transaction does not, however many connections it has', async () => {
  expect(await keepsSessions(poolByTransaction([...servers]))).toBe(false);
  expect(await keepsSessions(poolByTransaction(servers.slice(0, 1)))).toBe(false);
});

test('a pool of sessions does', async () => {
  const free = [...servers];
  const open = async () => {
    const server = free.pop() as pg.Client;
    return { query: (text: string) => server.query(text), end: async () => {} };
  };
  expect(await keepsSessions(open)).toBe(true);
});
