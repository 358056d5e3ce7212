import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { type GuardedChild, isRunning, startGuarded } from './guarded-child';
import { PlainError } from './plain-error';
import { findPostgres, type PostgresHome } from './postgres-binaries';

export interface EmbeddedPostgres {
  /** The URL of the application's database. */
  url: string;
  /** The parent process of the server. */
  pid: number | undefined;
  stop(): Promise<void>;
  /** Stops the server and removes its data. */
  remove(): Promise<void>;
}

const USER = 'pagewire';
const PASSWORD = 'pagewire';
const DATABASE = 'pagewire';
const START_LIMIT_MS = 30_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** Settings for throwaway databases, which a crash may lose. */
const THROWAWAY_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * Starts the PostgreSQL from the installed packages, on the loopback interface, with its data in `folder`. Creates the
 * data and the database on first use. The server ends with this process.
 */
export async function startPostgres(options: {
  folder: string;
  port: number;
  database?: string;
  throwaway?: boolean;
}): Promise<EmbeddedPostgres> {
  const { port, database = DATABASE, throwaway = false } = options;
  const home = findPostgres(options.folder);
  if (!existsSync(join(home.data, 'PG_VERSION'))) await initialise(home);
  clearStaleLock(home.data);

  const settings = Object.entries({
    ...SETTINGS,
    ...(throwaway ? THROWAWAY_SETTINGS : {}),
    port: String(port),
  });
  let output = '';
  const server = startGuarded({
    command: join(home.bin, 'postgres'),
    args: ['-D', home.data, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env: { ...process.env, LC_ALL: 'C' },
    signal: 'INT',
    user: home.user,
    onOutput: (text) => {
      output = (output + text).slice(-4000);
    },
  });

  const urlOf = (name: string) => embeddedUrl(port, name);
  try {
    await waitUntilReady(server, urlOf('postgres'), () => output);
    await createDatabase(urlOf('postgres'), database);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    url: urlOf(database),
    pid: server.pid,
    stop: () => server.stop(),
    remove: async () => {
      await server.stop();
      removePostgres(options.folder);
    },
  };
}

/** The URL of a database of the embedded server on this port. */
export function embeddedUrl(port: number, database = DATABASE): string {
  return `postgresql://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;
}

/** Removes the data that `startPostgres` keeps for this folder. */
export function removePostgres(folder: string): void {
  // A server that was just killed may still be writing.
  rmSync(findPostgres(folder).data, { recursive: true, force: true, maxRetries: 3 });
}

async function initialise({ bin, data, user }: PostgresHome): Promise<void> {
  const part = `${data}.part`;
  const passwordFile = `${data}.password`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${PASSWORD}\n`);
  if (user) for (const path of [part, passwordFile]) chownSync(path, user.uid, user.gid);
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--encoding=UTF8'];
  const access = [`--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  let output = '';
  const initdb = startGuarded({
    command: join(bin, 'initdb'),
    args: [`--pgdata=${part}`, '--no-sync', ...locale, ...access],
    env: { ...process.env, LC_ALL: 'C' },
    signal: 'TERM',
    user,
    onOutput: (text) => {
      output += text;
    },
  });
  const code = await initdb.ended;
  rmSync(passwordFile);
  if (code !== 0) {
    throw new PlainError(`PostgreSQL could not set up its data in ${data}.\n${reasonIn(output)}`);
  }
  renameSync(part, data);
}

/** The lines that say why it failed, without those about its progress; all lines when none says it. */
function reasonIn(output: string): string {
  const reasons = output.split('\n').filter((line) => /FATAL|ERROR|error:/.test(line));
  return reasons.join('\n') || output;
}

function clearStaleLock(data: string): void {
  const path = join(data, 'postmaster.pid');
  if (!existsSync(path)) return;
  const pid = Number(readFileSync(path, 'utf8').split('\n')[0]);
  if (isRunning(pid, 'postgres')) {
    throw new PlainError(`PostgreSQL is already running on ${data} (process ${pid}). Stop it first.`);
  }
  rmSync(path);
}

async function waitUntilReady(server: GuardedChild, url: string, output: () => string): Promise<void> {
  let ended = false;
  server.ended.then(() => {
    ended = true;
  });
  for (const start = Date.now(); Date.now() - start < START_LIMIT_MS; await wait(20)) {
    if (ended) break;
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
    try {
      await client.connect();
      return;
    } catch {
      // Not listening yet.
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  throw new PlainError(`PostgreSQL did not start.\n${output()}`);
}

async function createDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
