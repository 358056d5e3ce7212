import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type GuardedChild, startGuarded } from '../../scripts/guarded-child';
import { PlainError } from '../../scripts/plain-error';
import { freePort } from '../../scripts/port';
import { ordinaryUser } from '../../scripts/postgres-binaries';
import { debianFolders } from '../../scripts/postgres-clients';

const BOUNCER = '/usr/sbin/pgbouncer';
// A folder that ordinary users may enter too.
const FOLDER = '/var/tmp/pagewire-recovery-';
const USER = 'pagewire';
// The server trusts everybody, so this is not needed; tests check that nothing prints it.
const PASSWORD = 'never-printed';

/** Collects functions that end what was started. */
interface Ends {
  add(end: () => Promise<void>): void;
}

/** A PostgreSQL from installed packages, which have the programs that the embedded one lacks. */
export class InstalledPostgres {
  private server: GuardedChild | undefined;

  private constructor(
    private readonly lifetime: Ends,
    readonly port: number,
    private readonly data: string,
  ) {}

  get url(): string {
    return this.urlOf(USER);
  }

  urlOf(database: string): string {
    return `postgresql://${USER}:${PASSWORD}@127.0.0.1:${this.port}/${database}`;
  }

  /** A new server with an empty database, which archives what it writes. */
  static async start(lifetime: Ends): Promise<InstalledPostgres> {
    const server = await InstalledPostgres.place(lifetime);
    const choices = ['--auth=trust', '--no-sync', '--locale=C', '--encoding=UTF8', `--username=${USER}`];
    program('initdb', [`--pgdata=${server.data}`, ...choices]);
    appendFileSync(join(server.data, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 trust\n');
    const archive = `${server.data}-archive`;
    program('mkdir', [archive], '');
    server.configure(
      `archive_mode = on\narchive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'\n`,
    );
    await server.run();
    await server.query('create database pagewire', 'postgres');
    return server;
  }

  /** A standby that follows a server. */
  static async follow(lifetime: Ends, primary: InstalledPostgres): Promise<InstalledPostgres> {
    const standby = await InstalledPostgres.baseBackup(lifetime, primary, '--write-recovery-conf');
    await standby.run();
    return standby;
  }

  /** A base backup of a server, not started. */
  static async baseBackup(
    lifetime: Ends,
    { port }: InstalledPostgres,
    ...choices: string[]
  ): Promise<InstalledPostgres> {
    const copy = await InstalledPostgres.place(lifetime);
    const from = `host=127.0.0.1 port=${port} user=${USER} application_name=standby`;
    program('pg_basebackup', [`--pgdata=${copy.data}`, '--checkpoint=fast', `--dbname=${from}`, ...choices]);
    return copy;
  }

  private static async place(lifetime: Ends): Promise<InstalledPostgres> {
    const folder = mkdtempSync(FOLDER);
    lifetime.add(async () => rmSync(folder, { recursive: true, force: true }));
    const user = ordinaryUser();
    if (user) chownSync(folder, user.uid, user.gid);
    return new InstalledPostgres(lifetime, await freePort(), join(folder, 'data'));
  }

  /** Recovers a base backup to a moment, with what the lost server has archived, and starts it. */
  async startAt(moment: string, lost: InstalledPostgres): Promise<void> {
    this.configure(
      `restore_command = 'cp ${lost.data}-archive/%f %p'\nrecovery_target_time = '${moment}'\n` +
        `recovery_target_action = promote\narchive_mode = off\n`,
    );
    program('touch', [join(this.data, 'recovery.signal')], '');
    await this.run();
    while ((await this.query('select pg_is_in_recovery() as recovers', 'postgres')).rows[0].recovers)
      await wait(100);
  }

  private configure(settings: string): void {
    appendFileSync(join(this.data, 'postgresql.conf'), settings);
  }

  private async run(): Promise<void> {
    const settings = {
      port: String(this.port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      jit: 'off',
      // Only the process crashes, never the machine, so nothing has to reach the disk.
      fsync: 'off',
    };
    this.server = startGuarded({
      command: join(programs(), 'postgres'),
      args: [
        '-D',
        this.data,
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      env: { ...process.env, LC_ALL: 'C' },
      signal: 'INT',
      user: ordinaryUser(),
      onOutput: () => {},
    });
    this.lifetime.add(() => this.server?.stop() ?? Promise.resolve());
    await untilAnswered(this.urlOf('postgres'));
  }

  /** Kills the server: nothing is flushed, and no client is told. */
  async lose(): Promise<void> {
    const [line] = readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(line), 'SIGQUIT');
    await this.server?.stop();
  }

  async promote(): Promise<void> {
    await this.query('select pg_promote()', 'postgres');
  }

  query(text: string, database = USER): Promise<pg.QueryResult> {
    return ask(this.urlOf(database), text);
  }
}

async function ask(connectionString: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

async function untilAnswered(url: string): Promise<void> {
  for (let look = 0; !(await ask(url, 'select 1').catch(() => null)); look += 1) {
    if (look > 300) throw new Error('PostgreSQL did not start');
    await wait(100);
  }
}

/** The folder of the installed server's programs; undefined without one. */
export function findInstalled(): string | undefined {
  return debianFolders().findLast((each) =>
    ['initdb', 'postgres', 'pg_basebackup', 'pg_dump'].every((name) => existsSync(join(each, name))),
  );
}

function programs(): string {
  const folder = findInstalled();
  if (folder) return folder;
  throw new PlainError('This needs a PostgreSQL of this machine, on Debian the package postgresql.');
}

function program(name: string, args: string[], folder = programs()): void {
  const { status, stderr } = spawnSync(join(folder, name), args, { encoding: 'utf8', ...ordinaryUser() });
  if (status !== 0) throw new PlainError(`${name}: ${stderr}`);
}

/** Whether this machine has PgBouncer. */
export const hasPgBouncer = () => existsSync(BOUNCER);

/** Starts PgBouncer in transaction mode in front of a server. Returns its address. */
export async function startPgBouncer(lifetime: Ends, postgres: InstalledPostgres): Promise<string> {
  const port = await freePort();
  const folder = mkdtempSync(FOLDER);
  lifetime.add(async () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]\n* = host=127.0.0.1 port=${postgres.port} user=${USER}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n` +
      `listen_port = ${port}\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 10\n` +
      'max_client_conn = 300\nunix_socket_dir =\n',
  );
  const user = ordinaryUser();
  if (user) for (const path of [folder, file]) chownSync(path, user.uid, user.gid);
  const bouncer = startGuarded({
    command: BOUNCER,
    args: [file],
    env: process.env,
    signal: 'INT',
    user,
    onOutput: () => {},
  });
  lifetime.add(() => bouncer.stop());
  const url = `postgresql://${USER}@127.0.0.1:${port}/${USER}`;
  await untilAnswered(url);
  return url;
}
