import type { Instrumentation } from 'next';

/** Reports errors in Next's handlers to Sentry, when a DSN is configured. */
export const onRequestError: Instrumentation.onRequestError = async (...failure) => {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { env } = await import('./lib/env');
    if (!env().SENTRY_DSN) return;
    const { captureRequestError } = await import('@sentry/nextjs');
    captureRequestError(...failure);
  }
};

/** Runs once when a server process starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { startServerProcess } = await import('./lib/worker/server-process');
    const { ownServer } = await import('./lib/http/own-server');
    const server = ownServer();
    if (server) {
      const notion = await import('./app/api/notion/webhook/route');
      const discord = await import('./app/api/discord/interactions/route');
      server.doors.set('/api/notion/webhook', notion.POST);
      server.doors.set('/api/discord/interactions', discord.POST);
      await server.migrated;
    }
    await startServerProcess();
  }
}
