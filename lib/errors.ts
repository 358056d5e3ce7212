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

// https://www.postgresql.org/docs/current/errcodes-appendix.html: a lock or statement timeout, an idle transaction, a
// deadlock, a server that ends or starts, a standby that only reads. From Prisma: no transaction could be started, a
// deadlock. From the network: nobody listens, the connection is lost, the name leads nowhere, or no encryption is agreed.
const AWAY_CODES = [
  ...['55P03', '57014', '25P03', '40P01', '57P01', '57P02', '57P03', '25006', 'P2028', 'P2034'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EPROTO'],
];

// PostgreSQL ends or refuses the session, whatever the reason: with a full disk, it even calls it a defect of its own.
const AWAY_SEVERITIES = ['FATAL', 'PANIC'];

// A broken connection; a full disk, no memory or too many connections.
const AWAY_CLASSES = /^(08|53)[0-9A-Z]{3}$/;

// A refused certificate: https://nodejs.org/docs/latest-v20.x/api/tls.html#x509-certificate-error-codes
const CERTIFICATE_CODES =
  /CERT|CRL_|^ERR_(SSL|TLS)_|^UNABLE_TO_|^INVALID_(CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^HOSTNAME_MISMATCH$/;

// Prisma gives these instead of the network's codes, and of the severity.
const AWAY_KINDS = [
  ...['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'],
  ...['AuthenticationFailed', 'DatabaseAccessDenied', 'DatabaseDoesNotExist', 'TlsConnectionError'],
];

// pg and its pool have no code, only these messages: no connection was free, or none could be opened in time, or it was
// lost during a statement, or before it, or the server does not encrypt.
const NO_CONNECTION = [
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'The server does not support SSL connections',
  'There was an error establishing an SSL connection',
];

const RETRY_AFTER_SECONDS = 5;

interface DatabaseFailure {
  code?: unknown;
  message?: unknown;
  severity?: unknown;
  meta?: {
    driverAdapterError?: { cause?: { originalCode?: unknown; kind?: unknown; severity?: unknown } };
  };
}

/** The error for a caller when the database is away, or had no connection or no unlocked row in time; null for others. */
export function toBusyError(error: unknown): AppError | null {
  if (!(error instanceof Error) || !isAway(error)) return null;
  return new AppError('unavailable', 'Too much is going on right now. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function isAway({ code, message, severity, meta }: DatabaseFailure): boolean {
  const cause = meta?.driverAdapterError?.cause;
  const codes = [code, cause?.originalCode].map(String);
  return (
    codes.some(
      (each) => AWAY_CODES.includes(each) || AWAY_CLASSES.test(each) || CERTIFICATE_CODES.test(each),
    ) ||
    [severity, cause?.severity].some((each) => AWAY_SEVERITIES.includes(String(each))) ||
    AWAY_KINDS.includes(String(cause?.kind)) ||
    NO_CONNECTION.includes(String(message))
  );
}
