import { type Logger, pino } from 'pino';
import { readLogLevel } from './env';
import { describeError } from './error-report';
import { logIds } from './log-ids';

/**
 * The one logger: JSON lines on standard output, from LOG_LEVEL on, with the ids of the request, interaction or job that
 * is being worked. An error is logged with what it says of itself, without values. Never pass tokens, message texts or
 * page values.
 */
export const log: Logger = pino({
  level: readLogLevel(),
  base: { app: 'pagewire' },
  mixin: logIds,
  serializers: { err: (error: unknown) => describeError(error) },
  redact: ['*.authorization', '*.token', '*.accessToken', '*.refreshToken'],
});
