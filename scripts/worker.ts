import { Lifetime } from './lifetime';
import { run } from './plain-error';
import { loadConfiguration } from './real-configuration';

/** Works jobs without serving the web, beside any number of others. */
async function main(): Promise<void> {
  loadConfiguration();
  const lifetime = new Lifetime();
  const { startWorker } = await import('@/lib/worker/run-worker');
  const worker = await startWorker();
  lifetime.add(() => worker.stop());
}

run(main);
