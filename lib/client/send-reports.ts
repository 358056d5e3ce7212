import { captureException, init } from '@sentry/nextjs';
import { asError, REPORT_OPTIONS } from '@/lib/error-report';
import type { Destination, Failure } from './failure';

// We hear of everything that nobody caught, and these would send it a second time, with the values that were thrown.
// Timings and visits are not collected.
const LEFT_OUT = ['GlobalHandlers', 'BrowserApiErrors', 'BrowserSession', 'BrowserTracing'];

/** Starts Sentry's SDK. Returns what sends it a failure. */
export function sendTo({ dsn, environment }: Destination): (failure: Failure) => void {
  init({
    ...REPORT_OPTIONS,
    dsn,
    environment,
    integrations: (usual) => [
      ...usual.filter(({ name }) => !LEFT_OUT.includes(name)),
      ...REPORT_OPTIONS.integrations,
    ],
  });
  return ({ thrown, said, level }) => {
    const error = thrown === undefined && said !== undefined ? new Error(said) : asError(thrown);
    captureException(error, {
      captureContext: { level, ...(said !== undefined && { extra: { said } }) },
      mechanism: { handled: said !== undefined, type: 'generic' },
    });
  };
}
