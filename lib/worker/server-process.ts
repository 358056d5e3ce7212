import { init } from '@sentry/nextjs';
import { env } from '@/lib/env';
import { startWorker } from './run-worker';

// Share of requests whose timing Sentry is sent.
const TRACES_SAMPLE_RATE = { dev: 1, production: 0.1 };

/** Sets up error reporting and, unless jobs are worked elsewhere, a worker that lives as long as the server. */
export async function startServerProcess(): Promise<void> {
  const { ENVIRONMENT, SENTRY_DSN, WORKER } = env();
  if (SENTRY_DSN) {
    init({ dsn: SENTRY_DSN, environment: ENVIRONMENT, tracesSampleRate: TRACES_SAMPLE_RATE[ENVIRONMENT] });
  }
  if (WORKER === 'off') return;
  const worker = await startWorker();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void worker.stop());
}
