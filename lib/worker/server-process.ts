import { after } from 'next/server';
import { env } from '@/lib/env';
import { REPORT_OPTIONS } from '@/lib/error-report';
import { spaceBotCalls } from '@/lib/features/calls/call-gate';
import { doAfterResponses } from '@/lib/http/after-response';
import { ownServer } from '@/lib/http/own-server';
import { log } from '@/lib/log';
import { enqueueStartJobs, startWorker } from './run-worker';
import { workAfterResponse } from './short-worker';

// Share of requests whose timing is sent to Sentry.
const TRACES_SAMPLE_RATE = { dev: 1, production: 0.1 };

/**
 * Sets up error reporting and a worker that lives as long as the server. If workers run elsewhere, the server only
 * checks after each response whether any is alive, and if not, does the due work itself.
 */
export async function startServerProcess(): Promise<void> {
  const { ENVIRONMENT, SENTRY_DSN, WORKER } = env();
  if (SENTRY_DSN) {
    const { init } = await import('@sentry/nextjs');
    init({
      ...REPORT_OPTIONS,
      dsn: SENTRY_DSN,
      environment: ENVIRONMENT,
      tracesSampleRate: TRACES_SAMPLE_RATE[ENVIRONMENT],
    });
  }
  if (WORKER === 'off') {
    spaceBotCalls();
    doAfterResponses(workAfterResponse, after);
    await enqueueStartJobs().catch((error) => log.error({ err: error }, 'start jobs not enqueued'));
    return;
  }
  const server = ownServer();
  const worker = await startWorker().catch((error: unknown) => {
    if (server) endUnstarted(error);
    throw error;
  });
  if (server) server.endings.push(() => worker.stop());
  else for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void worker.stop());
}

/** Ends the process, so that its host starts it again: Next would answer every later call with a 500. */
function endUnstarted(error: unknown): never {
  log.fatal({ err: error }, 'the worker does not start, so the process ends');
  process.exit(1);
}
