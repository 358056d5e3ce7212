import { setTimeout as wait } from 'node:timers/promises';
import { describeError } from './plain-error';
import { whenOrphaned } from './when-orphaned.mjs';

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const END_LIMIT_MS = 15_000;

/**
 * Everything that a script has started. It is ended in reverse order when the script is told to stop, or when the npm
 * that runs it dies.
 */
export class Lifetime {
  private readonly ends: (() => Promise<void>)[] = [];
  private ending: Promise<void> | undefined;

  constructor() {
    for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => this.end(code));
    // npm forwards no signals; it ends the shell in between. Any other parent may end first, such as a login shell.
    if (process.env['npm_lifecycle_event']) whenOrphaned(() => void this.end(SIGNALS.SIGTERM));
  }

  /** Whether it has begun to end everything. */
  get isEnding(): boolean {
    return this.ending !== undefined;
  }

  /** Registers how to end something that was just started. */
  add(end: () => Promise<void>): void {
    this.ends.unshift(end);
  }

  /** Ends everything, then the process. */
  async end(code: number): Promise<never> {
    this.ending ??= this.endAll();
    await this.ending;
    process.exit(code);
  }

  private async endAll(): Promise<void> {
    for (const end of this.ends) await Promise.race([end().catch(() => undefined), wait(END_LIMIT_MS)]);
  }
}

/** Runs the main function of a script that starts others; a failure is printed, ends them, and becomes exit code 1. */
export function runWithLifetime(main: (lifetime: Lifetime) => Promise<void>): void {
  const lifetime = new Lifetime();
  main(lifetime).catch((error: unknown) => {
    // What was interrupted did not fail.
    if (!lifetime.isEnding) console.error(describeError(error));
    return lifetime.end(1);
  });
}
