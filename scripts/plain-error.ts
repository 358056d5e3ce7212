/** A failure whose message tells the person at the terminal all that they need. */
export class PlainError extends Error {}

// PostgreSQL's classes of errors for a lost connection, a database that only reads, missing rights or room, and a server
// that shuts down, and the system's codes for one that is not there: the operator can mend them.
// https://www.postgresql.org/docs/current/errcodes-appendix.html
const OF_DATABASE = /^(08|25|42501|53|57|58|ECONN|ENOTFOUND|EAI_)/;

/** What to print for a failure: its message if that is enough, else everything. */
export function describeError(error: unknown): unknown {
  if (error instanceof PlainError || isWrongOption(error)) return error.message;
  const { code, message } = causeInDatabase(error);
  if (!OF_DATABASE.test(code)) return error;
  return `The database refused, or is away: ${message}. Correct that, and run this again.`;
}

/** Runs a script's main function; a failure is printed and becomes exit code 1. */
export function run(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    console.error(describeError(error));
    process.exitCode = 1;
  });
}

function isWrongOption(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** What the database's driver says, which Prisma wraps in an error of its own. */
function causeInDatabase(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: '' };
  const { code, meta } = error as Error & { code?: unknown; meta?: { driverAdapterError?: Error } };
  const { originalCode, originalMessage } = (meta?.driverAdapterError?.cause ?? {}) as Record<
    string,
    unknown
  >;
  return { code: String(originalCode ?? code), message: String(originalMessage ?? error.message) };
}
