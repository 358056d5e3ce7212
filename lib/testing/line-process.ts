import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { stepClock } from './stepping-clock';

/**
 * The doors on the port of LINE_PORT with a worker behind them, as one web process has both; without a port a
 * worker alone, with a clock that is LINE_AHEAD_MS ahead. To be run in a process of its own that is killed, or whose
 * clock is put forward and back.
 */
stepClock(Number(process.env['LINE_AHEAD_MS'] ?? 0));
process.on('message', ({ stepMs }: { stepMs: number }) => stepClock(stepMs));

// Node by itself does not see the names that this package's CommonJS build passes on; Next's bundles do.
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
if (port > 0) {
  const { openDoors } = await import('./doors');
  await openDoors(port);
}
const { startWorker } = await import('@/lib/worker/run-worker');
await startWorker();
process.send?.('ready');
