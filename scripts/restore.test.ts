import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import {
  findInstalled,
  hasPgBouncer,
  InstalledPostgres,
  startPgBouncer,
} from '@/lib/testing/installed-postgres';
import { migrateTo } from '@/lib/testing/migrations';
import { migrate } from '../prisma/migrate';
import { PlainError } from './plain-error';
import { programOf } from './program';
import { backUp } from './restore/back-up';
import { noteRecovery, restoreBackup } from './restore/restore-backup';
import { runNode } from './run-command';

const KEY_ID = '72cd6e84';
const NEWER = '29990101000000_of_tomorrow';
const KEEPS_CHANGES = '20261125120000_kept_changes';

const ends: (() => Promise<void>)[] = [];
const lifetime = { add: (end: () => Promise<void>) => ends.unshift(end) };
const folder = mkdtempSync(join(tmpdir(), 'pagewire-restore-'));
const file = join(folder, 'backup');
let server: InstalledPostgres;

const KEYS = [Buffer.alloc(32, 1)];

/** Runs one of the two commands with a database of the server; returns its output. */
async function command(name: 'backup' | 'restore', database: string, args: string[]) {
  const env = { ...COMPLETE_ENVIRONMENT, DATABASE_URL: server.urlOf(database) };
  const { ok, output } = await runNode([programOf('tsx'), `scripts/${name}.ts`, ...args], { env });
  expect(output).not.toContain('never-printed');
  return { ok, output };
}

const restore = (database: string, from: string, given = {}) =>
  restoreBackup({ file: from, address: server.urlOf(database), keys: KEYS, isReplacing: false, ...given });

const rows = async (database: string, text: string) => (await server.query(text, database)).rows;
const count = async (database: string) =>
  (
    await rows(database, `select count(*)::int as n from pg_tables where schemaname !~ '^(pg_|information)'`)
  )[0].n;

// The embedded PostgreSQL has no client programs.
describe.skipIf(!findInstalled())('with the client programs of PostgreSQL', () => {
  beforeAll(async () => {
    server = await InstalledPostgres.start(lifetime);
    await migrate(server.url);
    await server.query(`insert into hash_key (id, sealed_key) values (1, decode('01${KEY_ID}00', 'hex'))`);
    await server.query(`insert into seen_clock (at) values (now() - interval '1 hour')`);
    for (const name of ['other', 'strange', 'tomorrow']) await server.query(`create database ${name}`);
    await server.query('create table note (text text)', 'strange');
    await server.query('insert into note select md5(n::text) from generate_series(1, 2000) n', 'strange');
    expect(await command('backup', 'pagewire', [file])).toMatchObject({ ok: true });
  });
  afterAll(async () => {
    for (const end of ends) await end();
    rmSync(folder, { recursive: true });
  });

  const refused = async (database: string, from: string, why: RegExp, given = {}) => {
    const before = await count(database);
    const error = await restore(database, from, given).catch((each) => each);
    expect(error).toBeInstanceOf(PlainError);
    expect(error.message).toMatch(why);
    expect(error.message).not.toContain('never-printed');
    expect(await count(database)).toBe(before);
  };

  test('a backup belongs to its owner alone, and replaces no file', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await command('backup', 'pagewire', [file]);
    expect(again).toEqual({ ok: false, output: `${file} exists already. Name another file.\n` });
    const lost = await command('backup', 'pagewire', [join(folder, 'none', 'backup')]);
    const output = `There is no folder ${join(folder, 'none')}. Make it, or name another file.\n`;
    expect(lost).toEqual({ ok: false, output });
    await expect(backUp(server.urlOf('strange'), `${file}2`)).rejects.toThrow('nothing of Pagewire');
  });

  test('a backup that does not fit on the disk is refused in one sentence, and leaves nothing', async () => {
    const large = join(folder, 'large');
    // A limit of the process for its files stands for a full disk.
    const shell = ['-c', `trap '' XFSZ; ulimit -f 16; exec "$@"`, 'sh', process.execPath];
    const { stderr } = spawnSync('sh', [...shell, programOf('tsx'), 'scripts/backup.ts', large], {
      env: { ...process.env, ...COMPLETE_ENVIRONMENT, DATABASE_URL: server.url, TSX_DISABLE_CACHE: '1' },
      encoding: 'utf8',
    });
    expect(stderr).toBe(`${large} cannot be written: EFBIG: file too large, write\n`);
    expect(readdirSync(folder)).toEqual(['backup']);
  });

  test('a place that is not a folder is refused in one sentence', async () => {
    await expect(backUp(server.url, join(file, 'b'))).rejects.toThrow(
      /\/backup\/b cannot be written: ENOTDIR/,
    );
  });

  test('a database that does not answer is refused in one sentence that names the variable', async () => {
    await expect(backUp('postgresql://u:p@127.0.0.1:9/pagewire', join(folder, 'none'))).rejects.toThrow(
      /^The database does not answer by DATABASE_SESSION_URL, or DATABASE_URL without it: .*ECONNREFUSED/,
    );
  });

  test('an interrupted backup leaves nothing', async () => {
    const cut = join(folder, 'cut');
    const holder = new pg.Client({ connectionString: server.url });
    await holder.connect();
    await holder.query('begin; lock table hash_key in access exclusive mode');
    const dumps = async () => {
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'pg_dump'`;
      return (await rows('pagewire', waiting)).length;
    };
    const child = spawn(process.execPath, [programOf('tsx'), 'scripts/backup.ts', cut], {
      env: { ...process.env, ...COMPLETE_ENVIRONMENT, DATABASE_URL: server.url },
      stdio: 'inherit',
    });
    const closed = once(child, 'exit');
    await expect.poll(dumps).toBe(1);
    expect(readdirSync(folder)).toEqual(['backup', expect.stringMatching(/^cut\..+\.part$/)]);
    child.kill('SIGINT');
    await closed;
    expect(readdirSync(folder)).toEqual(['backup']);
    await holder.end();
  });

  test('two backups to the same file at once do not spoil each other', async () => {
    const both = join(folder, 'both');
    const holder = new pg.Client({ connectionString: server.url });
    await holder.connect();
    await holder.query('begin; lock table hash_key in access exclusive mode');
    const made = Promise.all([backUp(server.url, both), backUp(server.url, both)]);
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'pg_dump'`;
    await expect.poll(async () => (await rows('pagewire', waiting)).length, { timeout: 30_000 }).toBe(2);
    await holder.end();
    await made;
    expect(readdirSync(folder)).toEqual(['backup', 'both']);
    rmSync(both);
  });

  test('what is no whole backup of ours is refused, and nothing of it is restored', async () => {
    const [damaged, text, strange] = ['damaged', 'text', 'strange'].map((name) => join(folder, name));
    writeFileSync(damaged ?? '', readFileSync(file).subarray(0, -2000));
    writeFileSync(text ?? '', 'no backup');
    await refused('other', text ?? '', /is not a backup, or it is damaged/);
    await refused('other', damaged ?? '', /is damaged: (?!.*COPY)/);
    await refused('other', join(folder, 'nothing'), /There is no file/);
    await server.query('create table _prisma_migrations (id int)', 'strange');
    await backUp(server.urlOf('strange'), strange ?? '');
    await refused('other', strange ?? '', /a backup of another database/);
  });

  test('a backup of a newer version is refused', async () => {
    await migrate(server.urlOf('tomorrow'));
    await server.query(
      `insert into _prisma_migrations (id, checksum, migration_name) values ('1', '1', '${NEWER}')`,
      'tomorrow',
    );
    await backUp(server.urlOf('tomorrow'), join(folder, 'newer'));
    await refused('other', join(folder, 'newer'), new RegExp(`newer version of Pagewire: .* ${NEWER}`));
  });

  test('a backup that a key is missing for is refused', async () => {
    await refused('other', file, new RegExp(`ENCRYPTION_KEYS lacks \\(${KEY_ID}\\)`), {
      keys: [Buffer.alloc(32, 2)],
    });
  });

  test('a database that holds anything is replaced only when that is said, and only when nobody uses it', async () => {
    await refused('strange', file, /not empty.*--replace/);
    const user = new pg.Client({ connectionString: server.urlOf('strange') });
    await user.connect();
    await refused('strange', file, /Others are connected .*\(1 connection\)/, { isReplacing: true });
    await user.end();
    await restore('strange', file, { isReplacing: true });
    expect(
      await rows(
        'strange',
        `select to_regclass('note') as note, (select count(*)::int from hash_key) as keys`,
      ),
    ).toEqual([{ note: null, keys: 1 }]);
  });

  test('a database in another encoding is not filled', async () => {
    await server.query(`create database latin encoding 'LATIN1' locale 'C' template template0`);
    await refused('latin', file, /needs a database in UTF8, and this one is encoded in LATIN1/);
    await refused('latin', file, /needs a database in UTF8/, { isReplacing: true });
  });

  test('a restored database knows what it does not know, and is of the newest schema', async () => {
    expect(await command('restore', 'other', [file])).toMatchObject({ ok: true });
    const known = `select extract(epoch from forgotten_until - forgotten_since)::int / 3600 as hours from seen_clock`;
    expect(await rows('other', known)).toEqual([{ hours: 1 }]);
    expect(await migrate(server.urlOf('other'))).toEqual([]);
    await noteRecovery(server.urlOf('pagewire'));
    expect(await rows('pagewire', known)).toEqual([{ hours: 1 }]);
  });

  test('a backup of a version with fewer sealed tables is restored, and its keys are checked', async () => {
    await server.query('create database former');
    await server.query('create database present');
    await migrateTo(server.urlOf('former'), (name) => name < KEEPS_CHANGES);
    await server.query(
      `insert into hash_key (id, sealed_key) values (1, decode('01${KEY_ID}00', 'hex'))`,
      'former',
    );
    const former = `${file}-former`;
    expect(await command('backup', 'former', [former])).toMatchObject({ ok: true });
    await refused('present', former, /a key that ENCRYPTION_KEYS lacks/, { keys: [Buffer.alloc(32, 2)] });
    await restore('present', former);
    expect(await rows('present', 'select count(*)::int as kept from kept_change')).toEqual([{ kept: 0 }]);
  });

  test.skipIf(!hasPgBouncer())('a pooler for transactions is refused', async () => {
    const pooled = await startPgBouncer(lifetime, server);
    await expect(backUp(pooled, `${file}3`)).rejects.toThrow('DATABASE_SESSION_URL');
  });
});
