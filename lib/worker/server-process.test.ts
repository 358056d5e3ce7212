import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase } from '@/lib/db/database';
import { builtProgram } from '@/lib/testing/built-program';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { withOwnDatabase } from '@/lib/testing/own-database';
import { startServerProcess } from './server-process';

const database = withOwnDatabase();
let role: string;

/** An address for which the database has two connections: enough to be asked, but not for a worker. */
beforeEach(async () => {
  role = `few_${randomUUID().slice(0, 8)}`;
  await database().query(`
    create role ${role} login password 'few' connection limit 2 in role pg_read_all_data, pg_write_all_data`);
  const url = new URL(database().options.connectionString ?? '');
  [url.username, url.password] = [role, 'few'];
  for (const [name, value] of Object.entries(COMPLETE_ENVIRONMENT)) vi.stubEnv(name, value);
  vi.stubEnv('DATABASE_URL', url.href);
});
afterEach(async () => {
  await closeDatabase();
  await database().query(`drop role ${role}`);
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test('a process that only works jobs ends when the database has no connection left for it', async () => {
  const worker = spawn(process.execPath, [await builtProgram('scripts/worker')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  worker.stderr.on('data', (text) => {
    said += text;
  });
  expect(await once(worker, 'exit')).toEqual([1, null]);
  expect(said).toContain(`too many connections for role "${role}"`);
});

test('a web process whose worker cannot start ends, and does not stay to answer every call with a 500', async () => {
  vi.stubGlobal('pagewireServer', { endings: [] });
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`ended with ${code}`);
  });
  await expect(startServerProcess()).rejects.toThrow('ended with 1');
  expect(exit).toHaveBeenCalledOnce();
});
