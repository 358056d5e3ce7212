import { pino } from 'pino';

/** The one logger: JSON lines on standard output. Never pass tokens, message texts or page values. */
export const log = pino({
  base: { app: 'pagewire' },
  redact: ['*.authorization', '*.token', '*.accessToken', '*.refreshToken'],
});
