import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { hasTables } from '../has-tables';
import type { Lifetime } from '../lifetime';
import { PlainError } from '../plain-error';
import { clientAddress, findClients } from '../postgres-clients';
import { openSession, versionOfServer } from './session';

// What is sealed in the database is sealed in the file, but names and addresses are not.
const OWNER_ONLY = 0o600;

/**
 * Writes the whole database, as it is at one moment, to a new file that only its owner can read. Throws one sentence.
 */
export async function backUp(address: string, file: string, lifetime?: Lifetime): Promise<void> {
  if (existsSync(file)) throw new PlainError(`${file} exists already. Name another file.`);
  const folder = dirname(file);
  if (!existsSync(folder))
    throw new PlainError(`There is no folder ${folder}. Make it, or name another file.`);
  // Another backup may be writing to the same file.
  const part = `${file}.${randomUUID().slice(0, 8)}.part`;
  const clean = () => {
    if (existsSync(part)) rmSync(part);
  };
  lifetime?.add(async () => clean());
  const session = await openSession(address);
  try {
    await requireProduct(session);
    const clients = findClients(await versionOfServer(session));
    await dump(join(clients, 'pg_dump'), { address, file, part, lifetime });
    renameSync(part, file);
  } finally {
    clean();
    await session.end();
  }
}

async function requireProduct(session: pg.Client): Promise<void> {
  if (!(await hasTables(session, 'public._prisma_migrations')))
    throw new PlainError('The database holds nothing of Pagewire. There is nothing to back up.');
}

interface Dump {
  address: string;
  file: string;
  part: string;
  lifetime: Lifetime | undefined;
}

async function dump(program: string, { address, file, part, lifetime }: Dump): Promise<void> {
  const { url, env } = clientAddress(address);
  const output = openOwn(part, file);
  const child = spawn(program, ['--format=custom', '--no-owner', '--no-privileges', `--dbname=${url}`], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  lifetime?.add(async () => {
    child.kill();
  });
  const [said, [code], failure] = await Promise.all([
    text(child.stderr),
    once(child, 'close'),
    pipeline(child.stdout, createWriteStream(part, { fd: output, flush: true })).catch(
      (error: Error) => error,
    ),
  ]);
  if (failure) throw unwritten(file, failure);
  if (code !== 0) throw new PlainError(`The backup was not made. ${said.trim()}`);
}

function openOwn(part: string, file: string): number {
  try {
    return openSync(part, 'wx', OWNER_ONLY);
  } catch (cause) {
    throw unwritten(file, cause as Error);
  }
}

const unwritten = (file: string, cause: Error) =>
  new PlainError(`${file} cannot be written: ${cause.message}`, { cause });
