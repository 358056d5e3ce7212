import { once } from 'node:events';
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { stepClock } from './stepping-clock';

/**
 * Serves the doors on the port LINE_PORT with a worker behind them, like a web process; without a port, runs only a
 * worker. LINE_AHEAD_MS puts its clock ahead. A separate process, so that a test can kill it or step its clock.
 */
stepClock(Number(process.env['LINE_AHEAD_MS'] ?? 0));
process.on('message', ({ stepMs }: { stepMs: number }) => stepClock(stepMs));

// Node alone does not see the names that this package's CommonJS build re-exports; Next's bundles do.
const here = JSON.stringify(pathToFileURL(`${process.cwd()}/`).href);
const sentry = `import { createRequire } from 'node:module';
  export const { captureException, init } = createRequire(${here})('@sentry/nextjs');`;
const hooks = `export const resolve = (name, context, next) => name === '@sentry/nextjs'
  ? { url: ${JSON.stringify(asModule(sentry))}, shortCircuit: true } : next(name, context);`;
register(asModule(hooks));

function asModule(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

const port = Number(process.env['LINE_PORT'] ?? 0);
const { openDoors } = await import('./doors');
const doors = port > 0 ? await openDoors(port) : undefined;
const { startWorker } = await import('@/lib/worker/run-worker');
const worker = await startWorker();
process.once('SIGTERM', async () => {
  const answered = doors && once(doors.server, 'close');
  doors?.server.close();
  await Promise.all([answered, worker.stop()]);
  process.exit(0);
});
// A test that failed does not end this process.
process.once('disconnect', () => process.exit(1));
process.send?.('ready');
