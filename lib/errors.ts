import { shareErrorClass } from './process-state';

const STATUS_BY_CODE = {
  invalid_input: 400,
  invalid_json: 400,
  invalid_state: 400,
  unauthorized: 401,
  forbidden: 403,
  limit_reached: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_slow: 408,
  conflict: 409,
  not_connected: 409,
  too_large: 413,
  unsupported_type: 415,
  rate_limited: 429,
  internal_error: 500,
  upstream_failed: 502,
  unavailable: 503,
  overloaded: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_BY_CODE;

/** An error that the caller can act on. The message is a sentence that a person may read. */
export class AppError extends Error {
  /** When a retry makes sense; undefined when unknown. */
  readonly retryAfterSeconds: number | undefined;
  /** Further fields of the answer, next to the message and the code. */
  readonly details: Record<string, unknown>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    {
      retryAfterSeconds,
      details = {},
    }: { retryAfterSeconds?: number; details?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.name = 'AppError';
    this.retryAfterSeconds = retryAfterSeconds;
    this.details = details;
  }

  get status(): number {
    return STATUS_BY_CODE[this.code];
  }
}
shareErrorClass(AppError, 'AppError');

// https://www.postgresql.org/docs/current/errcodes-appendix.html: a lock or statement timeout, an idle transaction, too
// many connections, a starting server, a deadlock. From Prisma: no transaction could be started, a deadlock.
const BUSY_CODES = ['55P03', '57014', '25P03', '53300', '57P03', '40P01', 'P2028', 'P2034'];

// pg-pool has no code, only these messages, for "no connection was free" and "none could be opened in time".
const NO_CONNECTION = [
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
];

const RETRY_AFTER_SECONDS = 5;

interface DatabaseFailure {
  code?: unknown;
  message?: unknown;
  meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } };
}

/** The error for a caller when the database had no connection, or no unlocked row, in time; null for other errors. */
export function toBusyError(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null;
  const { code, message, meta }: DatabaseFailure = error;
  const codes = [code, meta?.driverAdapterError?.cause?.originalCode];
  if (!NO_CONNECTION.includes(String(message)) && !codes.some((each) => BUSY_CODES.includes(String(each))))
    return null;
  return new AppError('unavailable', 'Too much is going on right now. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
