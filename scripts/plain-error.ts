/** A failure whose message tells the person at the terminal all that they need. */
export class PlainError extends Error {}

/** What to print for a failure: its message if that is enough, else everything. */
export function describeError(error: unknown): unknown {
  if (error instanceof PlainError || isWrongOption(error)) return error.message;
  return error;
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
