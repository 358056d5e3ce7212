import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { PlainError } from '../plain-error';
import { clientAddress } from '../postgres-clients';
import { KEY_MISSING } from './check-keys-sql';

interface Reading {
  /** The folder of the client programs. */
  folder: string;
  file: string;
  address: string;
  /** Statements before and after the content of the file. */
  before: string;
  after: string;
}

/**
 * Reads a backup into a database, between the given statements, in one transaction. Throws one sentence when it fails.
 */
export async function readInto({ folder, file, address, before, after }: Reading): Promise<void> {
  const { url, env } = clientAddress(address);
  const psql = spawn(
    join(folder, 'psql'),
    ['--no-psqlrc', '--quiet', '--output=/dev/null', '--set=ON_ERROR_STOP=1', `--dbname=${url}`],
    { env, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  const archive = spawn(join(folder, 'pg_restore'), ['--no-owner', '--no-privileges', '--file=-', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [ofArchive, ofPsql] = [text(archive.stderr), text(psql.stderr)];
  const [readAll, appliedAll] = [once(archive, 'close'), once(psql, 'close')];
  // When psql ends early, its own error says why.
  psql.stdin.on('error', () => {});
  psql.stdin.write(`set client_min_messages = warning;\nbegin;\n${before}\n`);
  await pipeline(archive.stdout, psql.stdin, { end: false }).catch(() => {});
  const [isRead] = (await readAll).map((code) => code === 0);
  psql.stdin.end(isRead ? `\nset search_path = public;\n${after}\ncommit;\n` : '\nrollback;\n');
  const [isApplied] = (await appliedAll).map((code) => code === 0);
  if (isRead && isApplied) return;
  const [saidArchive, saidPsql] = [(await ofArchive).trim(), (await ofPsql).trim()];
  // What psql says about the rest of a damaged file misleads. When psql ends first, the archive cannot be written to it.
  if (!isRead && saidArchive && !saidArchive.includes('could not write')) {
    throw new PlainError(`Nothing was restored. ${file} is damaged: ${saidArchive}`);
  }
  const [, sentence] = new RegExp(`ERROR: +${KEY_MISSING}(.*)`).exec(saidPsql) ?? [];
  throw new PlainError(`Nothing was restored. ${sentence ?? (saidPsql || saidArchive)}`);
}
