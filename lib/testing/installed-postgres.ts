import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type GuardedChild, startGuarded } from '../../scripts/guarded-child';
import { PlainError } from '../../scripts/plain-error';
import { freePort } from '../../scripts/port';

const DEBIAN = '/usr/lib/postgresql';
// A folder that an ordinary user may enter, too.
const FOLDER = '/var/tmp/pagewire-recovery-';
const USER = 'pagewire';
// The server trusts everybody here; nothing may print it all the same.
const PASSWORD = 'never-printed';

/** Where to register how something is ended. */
interface Ends {
  add(end: () => Promise<void>): void;
}

/** A PostgreSQL of this machine's packages, which have the programs that the embedded one lacks. */
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

  /** A new server with an empty database; or a standby that follows another one. */
  static async start(lifetime: Ends, primary?: InstalledPostgres): Promise<InstalledPostgres> {
    const folder = mkdtempSync(FOLDER);
    lifetime.add(async () => rmSync(folder, { recursive: true, force: true }));
    const user = ordinaryUser();
    if (user) chownSync(folder, user.uid, user.gid);
    const server = new InstalledPostgres(lifetime, await freePort(), join(folder, 'data'));
    if (primary) await server.follow(primary);
    else {
      program('initdb', [
        '-D',
        server.data,
        '-U',
        USER,
        '--auth=trust',
        '--no-sync',
        '--locale=C',
        '-E',
        'UTF8',
      ]);
      appendFileSync(join(server.data, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 trust\n');
    }
    await server.run();
    if (!primary) await server.query('create database pagewire', 'postgres');
    return server;
  }

  private async follow({ port }: InstalledPostgres): Promise<void> {
    const from = `host=127.0.0.1 port=${port} user=${USER} application_name=standby`;
    program('pg_basebackup', [
      '-D',
      this.data,
      '--checkpoint=fast',
      '--write-recovery-conf',
      `--dbname=${from}`,
    ]);
  }

  private async run(): Promise<void> {
    const settings = {
      port: String(this.port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      jit: 'off',
      // Its crashes are those of a process, not of a machine.
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
    for (let look = 0; ; look += 1) {
      if (await this.query('select 1', 'postgres').catch(() => null)) return;
      if (look > 300) throw new Error('PostgreSQL did not start');
      await wait(100);
    }
  }

  /** Loses it: nothing is flushed, nobody is told. */
  async lose(): Promise<void> {
    const [line] = spawnSync('head', ['-1', join(this.data, 'postmaster.pid')], {
      encoding: 'utf8',
    }).stdout.split('\n');
    process.kill(Number(line), 'SIGQUIT');
    await this.server?.stop();
  }

  async promote(): Promise<void> {
    await this.query('select pg_promote()', 'postgres');
  }

  async query(text: string, database = USER): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: this.urlOf(database) });
    client.on('error', () => {});
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  }
}

/** The folder of the installed server's programs; undefined without one. */
export function findInstalled(): string | undefined {
  const folders = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin'))
    : [];
  return folders.findLast((each) =>
    ['initdb', 'postgres', 'pg_basebackup', 'pg_dump'].every((name) => existsSync(join(each, name))),
  );
}

function programs(): string {
  const folder = findInstalled();
  if (folder) return folder;
  throw new PlainError('This needs a PostgreSQL of this machine, on Debian the package postgresql.');
}

function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, 'postgres']).stdout));
  return { uid, gid };
}

function program(name: string, args: string[]): void {
  const { status, stderr } = spawnSync(join(programs(), name), args, { encoding: 'utf8', ...ordinaryUser() });
  if (status !== 0) throw new PlainError(`${name}: ${stderr}`);
}

/** An address that leads to one server and later to another, as a name does that is moved after a failure. */
export async function movableAddress(first: number): Promise<{ port: number; moveTo(port: number): void }> {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const other = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, other],
      [other, client],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => open.delete(from) && to.destroy());
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return {
    port: (server.address() as { port: number }).port,
    moveTo(port) {
      target = port;
      for (const socket of open) socket.destroy();
    },
  };
}

const withBouncer = () => ({ ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` });

/** Whether this machine has PgBouncer. */
export const hasPgBouncer = () => spawnSync('pgbouncer', ['--version'], { env: withBouncer() }).status === 0;

/** PgBouncer in transaction mode before a server. Returns its address. */
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
    command: 'pgbouncer',
    args: [file],
    env: withBouncer(),
    signal: 'INT',
    user,
    onOutput: () => {},
  });
  lifetime.add(() => bouncer.stop());
  await wait(500);
  return `postgresql://${USER}@127.0.0.1:${port}/${USER}`;
}
