import { captureException, init } from '@sentry/nextjs';
import { asError, REPORT_OPTIONS } from '@/lib/error-report';
import type { Destination, Failure } from './failure';

// The first two would report uncaught errors, which we report ourselves, a second time and with the thrown values. The
// others collect visits and timings, which we do not want.
const LEFT_OUT = ['GlobalHandlers', 'BrowserApiErrors', 'BrowserSession', 'BrowserTracing'];

/** Starts Sentry's SDK. Returns a function that sends a failure. */
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
