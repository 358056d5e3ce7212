import { once } from 'node:events';
import { stepClock } from './stepping-clock';

/**
 * Serves the doors on the port PIPELINE_PORT with a worker behind them, like a web process; without a port, runs only a
 * worker. PIPELINE_AHEAD_MS puts its clock ahead. A separate process, so that a test can kill it or step its clock.
 */
stepClock(Number(process.env['PIPELINE_AHEAD_MS'] ?? 0));
process.on('message', ({ stepMs }: { stepMs: number }) => stepClock(stepMs));

const port = Number(process.env['PIPELINE_PORT'] ?? 0);
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
