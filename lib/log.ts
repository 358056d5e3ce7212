import { type Logger, pino } from 'pino';
import { readLogLevel } from './env';
import { describeError } from './error-report';
import { logIds } from './log-ids';

/**
 * The only logger: writes JSON lines to standard output, from LOG_LEVEL on, with the ids of the current request,
 * interaction or job. Errors are logged without the values that they quote. Never pass tokens, message texts or page
 * values.
 */
export const log: Logger = pino({
  level: readLogLevel(),
  base: { app: 'pagewire' },
  mixin: logIds,
  serializers: { err: (error: unknown) => describeError(error) },
  redact: ['*.authorization', '*.token', '*.accessToken', '*.refreshToken'],
});
