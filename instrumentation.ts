export { captureRequestError as onRequestError } from '@sentry/nextjs';

/** Runs once when a server process starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { startServerProcess } = await import('./lib/worker/server-process');
    await startServerProcess();
  }
}
