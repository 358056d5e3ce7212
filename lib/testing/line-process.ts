import { openDoors } from './doors';

/**
 * The doors on the port of LINE_PORT with a worker behind them, as one web process has both; without a port a
 * worker alone. To be run in a process of its own that is killed.
 */
const port = Number(process.env['LINE_PORT'] ?? 0);
const { startWorker } = await import('@/lib/worker/run-worker');
if (port > 0) await openDoors(port);
await startWorker();
process.send?.('ready');
