import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PooledByTransaction } from '@/lib/db/require-sessions';
import { type Lifetime, runWithLifetime } from './lifetime';
import { PlainError } from './plain-error';
import { parsePort } from './port';
import { requireSameTables } from './prepare-database';
import { loadConfiguration } from './real-configuration';

const LOOK_EVERY_MS = 1000;

/**
 * Works jobs without serving the web, alongside any number of other workers. With `--port` it answers metrics and
 * readiness there.
 */
async function main(lifetime: Lifetime): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string' } } });
  const port = values.port ? parsePort(values.port, '--port') : undefined;
  const env = loadConfiguration();
  const { log } = await import('@/lib/log');
  // graphile-worker lets this escape when the database goes away before the end of a job is recorded. The job runs
  // again.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
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
    throw new PlainError(`The worker cannot answer on port ${port}: ${error.message}`);
  });
  lifetime.add(() => watched.stop());
}

/** A worker may start before this version's migrations are applied. */
async function untilMigrated(): Promise<void> {
  const { log } = await import('@/lib/log');
  const { listMissingMigrations } = await import('@/lib/db/missing-migrations');
  for (let isTold = false; ; isTold = true) {
    const missing = await listMissingMigrations();
    if (missing.length === 0) {
      if (isTold) log.info('migrations are applied: the worker starts');
      return;
    }
    const told = { count: missing.length, first: missing[0] };
    if (!isTold) log.warn(told, 'the worker waits: migrations are not applied');
    await wait(LOOK_EVERY_MS);
  }
}

runWithLifetime(main);
