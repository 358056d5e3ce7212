import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PlainError } from './plain-error';

// Debian's packages keep each version in a folder of its own.
const DEBIAN = '/usr/lib/postgresql';

/** How PostgreSQL's client programs reach a database; the password is never an argument. */
export interface ClientAddress {
  url: string;
  env: NodeJS.ProcessEnv;
}

// The parameters that libpq knows; Node's driver has others of its own.
const LIBPQ =
  /^(host|port|user|sslmode|ssl(root)?cert|sslkey|connect_timeout|application_name|options|target_session_attrs|channel_binding|gssencmode)$/;

// Where distributions keep the authorities that they trust. Node knows such authorities by itself, libpq only from a file,
// or from version 16 on by the word "system".
const AUTHORITIES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
];

/** An address of the configuration, for the client programs: the same server, database and checks of certificates. */
export function clientAddress(address: string): ClientAddress {
  const url = new URL(address);
  const password = decodeURIComponent(url.password) || url.searchParams.get('password');
  url.password = '';
  for (const name of [...url.searchParams.keys()]) if (!LIBPQ.test(name)) url.searchParams.delete(name);
  const sslmode = url.searchParams.get('sslmode') ?? '';
  if (sslmode === 'no-verify') url.searchParams.set('sslmode', 'require');
  if (sslmode.startsWith('verify-') && !url.searchParams.has('sslrootcert')) {
    url.searchParams.set('sslrootcert', AUTHORITIES.find((file) => existsSync(file)) ?? 'system');
  }
  return { url: url.href, env: { ...process.env, ...(password && { PGPASSWORD: password }) } };
}

/**
 * The folder of PostgreSQL's client programs, at least as new as the server; the oldest such version. Throws one
 * sentence when there are none.
 */
export function findClients(serverVersion: number): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...debianFolders()];
  const found = folders.flatMap((folder) => {
    const version = existsSync(join(folder, 'pg_dump')) ? versionOf(join(folder, 'pg_dump')) : null;
    return version === null ? [] : [{ folder, version }];
  });
  const [best] = found
    .filter(({ version }) => version >= serverVersion)
    .sort((a, b) => a.version - b.version);
  if (best) return best.folder;
  const newest = Math.max(0, ...found.map(({ version }) => version));
  const have = newest > 0 ? `here have version ${newest} and are older than` : 'are not installed here for';
  throw new PlainError(
    `PostgreSQL's client programs (pg_dump, pg_restore, psql) ${have} the server, which has version ${serverVersion}. ` +
      `Install those of version ${serverVersion}, on Debian the package postgresql-client-${serverVersion}.`,
  );
}

/** The folders of the programs of each version that Debian's packages have installed. */
export function debianFolders(): string[] {
  return existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
}

function versionOf(program: string): number | null {
  const [, version] =
    /\) (\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? [];
  return version ? Number(version) : null;
}
