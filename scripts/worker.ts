import { PooledByTransaction } from '@/lib/db/require-sessions';
import { Lifetime } from './lifetime';
import { PlainError, run } from './plain-error';
import { loadConfiguration } from './real-configuration';

/** Works jobs without serving the web, alongside any number of other workers. */
async function main(): Promise<void> {
  loadConfiguration();
  const { log } = await import('@/lib/log');
  // graphile-worker lets this escape when the database goes away before the end of a job is recorded. The job runs
  // again.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  const lifetime = new Lifetime();
  const { startWorker } = await import('@/lib/worker/run-worker');
  const worker = await startWorker().catch((error) => {
    throw error instanceof PooledByTransaction ? new PlainError(error.message) : error;
  });
  lifetime.add(() => worker.stop());
}

run(main);
