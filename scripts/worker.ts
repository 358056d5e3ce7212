import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PooledByTransaction } from '@/lib/db/require-sessions';
import type { Env } from '@/lib/env';
import { Lifetime } from './lifetime';
import { describeError, PlainError, run } from './plain-error';
import { parsePort } from './port';
import { requireSameTables } from './prepare-database';
import { loadConfiguration } from './real-configuration';

const LOOK_EVERY_MS = 1000;

/**
 * Works jobs without serving the web, alongside any number of other workers. With `--port` it answers metrics and
 * readiness there.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string' } } });
  const port = values.port ? parsePort(values.port, '--port') : undefined;
  const env = loadConfiguration();
  const { log } = await import('@/lib/log');
  // graphile-worker lets this escape when the database goes away before the end of a job is recorded. The job runs
  // again.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  const lifetime = new Lifetime();
  try {
    await begin(env, port, lifetime);
  } catch (error) {
    // An open connection would keep the process alive, and nobody would start it again.
    console.error(describeError(error));
    await lifetime.end(1);
  }
}

async function begin(env: Env, port: number | undefined, lifetime: Lifetime): Promise<void> {
  await requireSameTables(env);
  await untilMigrated();
  const { startWorker } = await import('@/lib/worker/run-worker');
  const { startWatchServer } = await import('./watch-server');
  const worker = await startWorker().catch((error) => {
    throw error instanceof PooledByTransaction ? new PlainError(error.message) : error;
  });
  lifetime.add(() => worker.stop());
  if (!port) return;
  const watched = await startWatchServer(port).catch((error: Error) => {
    console.error(`The worker cannot answer on port ${port}: ${error.message}`);
    return lifetime.end(1);
  });
  lifetime.add(() => watched.stop());
}

/** A worker may start before this version's migrations are applied. */
async function untilMigrated(): Promise<void> {
  const { log } = await import('@/lib/log');
  const { listMissingMigrations } = await import('@/lib/db/missing-migrations');
  for (let isTold = false; ; isTold = true) {
    const missing = await listMissingMigrations();
    if (missing.length === 0) return;
    if (!isTold) log.warn({ missing }, 'not working: migrations are not applied');
    await wait(LOOK_EVERY_MS);
  }
}

run(main);
