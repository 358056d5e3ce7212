import { run } from './plain-error';
import { loadConfiguration } from './real-configuration';

/** Prints the key that POST /api/jobs/run requires. */
async function main(): Promise<void> {
  loadConfiguration();
  const { schedulerKey } = await import('@/lib/http/scheduler-route');
  console.log(schedulerKey());
}

run(main);
