import { REPORT_OPTIONS } from '@/lib/error-report';
import type { AppConfig } from '@/lib/features/account/schema';
import { reportLogTo } from './log';

let started = false;

/** Loads Sentry and sends the log there, if a DSN is configured. Without a DSN nothing is downloaded. */
export async function startErrorReporting(config: AppConfig): Promise<void> {
  if (started || !config.sentry.dsn) return;
  started = true;
  const { captureException, captureMessage, init } = await import('@sentry/nextjs');
  init({
    ...REPORT_OPTIONS,
    dsn: config.sentry.dsn,
    environment: config.environment,
    tracesSampleRate: config.environment === 'dev' ? 1 : 0.1,
  });
  reportLogTo((level, message, detail) => {
    if (detail instanceof Error) captureException(detail, { extra: { message } });
    else captureMessage(message, level === 'warn' ? 'warning' : level);
  });
}
