import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createEmptyDatabase } from '@/lib/testing/database';
import { migrateTo } from '@/lib/testing/migrations';
import { query } from './doctor/faults/stage';
import { prepareDatabase } from './prepare-database';

test('a start is refused when pages and jobs would use two databases, and changes neither', async () => {
  const [one, other] = [await createEmptyDatabase(), await createEmptyDatabase()];
  const env = { DATABASE_URL: one.url, DATABASE_SESSION_URL: other.url };
  await expect(prepareDatabase(env)).rejects.toThrow(
    'DATABASE_URL and DATABASE_SESSION_URL lead to two databases',
  );
  const none = (name: string) => name < '20261120190000';
  expect(await migrateTo(other.url, none)).toHaveLength(1);
  await one.drop();
  await other.drop();
});

test('two addresses of one database are fine', async () => {
  const { url, drop } = await createEmptyDatabase();
  await prepareDatabase({ DATABASE_URL: `${url}?application_name=pooled`, DATABASE_SESSION_URL: url });
  await drop();
});

test('a start is refused when DATABASE_URL does not answer, and it is named', async () => {
  const { url, drop } = await createEmptyDatabase();
  const env = { DATABASE_URL: 'postgresql://pagewire:pass@127.0.0.1:9/pagewire', DATABASE_SESSION_URL: url };
  await expect(prepareDatabase(env)).rejects.toThrow(
    /no answer from the database by DATABASE_URL: .*ECONNREFUSED/,
  );
  await drop();
});

test('a start is refused when no address answers, and the one to correct is named', async () => {
  const nobody = 'postgresql://pagewire:pass@127.0.0.1:9/pagewire';
  await expect(prepareDatabase({ DATABASE_URL: nobody, DATABASE_SESSION_URL: nobody })).rejects.toThrow(
    /no answer from the database by DATABASE_URL: .*ECONNREFUSED/,
  );
  const { url, drop } = await createEmptyDatabase();
  await expect(prepareDatabase({ DATABASE_URL: url, DATABASE_SESSION_URL: nobody })).rejects.toThrow(
    /no answer from the database by DATABASE_SESSION_URL: .*ECONNREFUSED/,
  );
  await drop();
});

test('a start is refused when another schema comes before public, and makes no tables', async () => {
  const { url, drop } = await createEmptyDatabase();
  await query(url, 'create schema first');
  const shadowed = `${url}?options=-c%20search_path%3Dfirst,public`;
  const env = { DATABASE_URL: shadowed, DATABASE_SESSION_URL: url };
  const refusal = 'the search_path of DATABASE_URL leads to others first';
  await expect(prepareDatabase(env)).rejects.toThrow(refusal);
  expect(await query(url, `select from pg_tables where schemaname in ('first', 'public')`)).toEqual([]);

  await prepareDatabase({ DATABASE_URL: url, DATABASE_SESSION_URL: url });
  expect(await prepareDatabase(env)).toEqual([]);

  await query(url, 'create table first.rule (id int)');
  await expect(prepareDatabase(env)).rejects.toThrow(refusal);
  await drop();
});

test('a server that is too old is refused before the first migration', async () => {
  const { url, drop } = await createEmptyDatabase();
  const old = await startOlderServer(url);
  const env = { DATABASE_URL: old.url, DATABASE_SESSION_URL: old.url };
  await expect(prepareDatabase(env)).rejects.toThrow(
    'Pagewire needs PostgreSQL 15 or newer, and this server has version 14.',
  );
  expect(await query(url, `select from pg_tables where schemaname = 'public'`)).toEqual([]);
  old.server.close();
  await drop();
});

test('a new database that cannot hold every text is refused before the first migration', async () => {
  const { url, drop } = await createEmptyDatabase({ encoding: 'LATIN1' });
  const env = { DATABASE_URL: url, DATABASE_SESSION_URL: url };
  await expect(prepareDatabase(env)).rejects.toThrow(
    "Pagewire needs a database in UTF8, and this one is encoded in LATIN1. Create it anew with encoding 'UTF8' template template0.",
  );
  expect(await query(url, `select from pg_tables where schemaname = 'public'`)).toEqual([]);

  await query(url, 'create table _prisma_migrations (id int)');
  await expect(prepareDatabase(env)).rejects.not.toThrow('encoded');
  await drop();
});

test('a pooler that is paused does not hold up a start for ever', async () => {
  const { url, drop } = await createEmptyDatabase();
  const paused = await startPausedPooler(url);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const refused = expect(
    prepareDatabase({ DATABASE_URL: paused.url, DATABASE_SESSION_URL: url }),
  ).rejects.toThrow('no answer from the database by DATABASE_URL: Query read timeout');
  await paused.asked;
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  await refused;
  paused.server.close();
  await drop();
});

/** Lets clients in, and keeps their first query to itself. */
async function startPausedPooler(address: string) {
  const { url, server } = await startBetween(address, ({ client, behind, server }) => {
    behind.pipe(client);
    client.on('data', (bytes) => {
      if (String.fromCharCode(bytes[0] ?? 0) === 'Q') server.emit('asked');
      else behind.write(bytes);
    });
  });
  return { url, server, asked: once(server, 'asked') };
}

/** The server at the address, which says that it has version 14. */
const startOlderServer = (address: string) =>
  startBetween(address, ({ client, behind }) => {
    client.pipe(behind);
    // The row of the first query: the version, and the encoding with its length before it.
    const older = (row: string) => row.replace(/\d\d(?=[^\w]{4}UTF8)/, '14');
    behind.on('data', (bytes) => client.write(older(bytes.toString('latin1')), 'latin1'));
  });

/** Listens for clients, each of which gets a connection to the server at the address. */
async function startBetween(
  address: string,
  between: (sockets: { client: Socket; behind: Socket; server: Server }) => void,
) {
  const { hostname, port } = new URL(address);
  const server = createServer((client) => {
    const behind = connect(Number(port), hostname);
    behind.on('error', () => client.destroy());
    client.on('error', () => {});
    client.on('close', () => behind.destroy());
    between({ client, behind, server });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(address);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, server };
}
