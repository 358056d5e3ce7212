import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const PARENT_CHECK_MS = process.platform === 'linux' ? 500 : 2000;
const END_LIMIT_MS = 15_000;

/**
 * Everything that a script has started. It is ended in reverse order when the script is told to stop or its parent
 * dies.
 */
export class Lifetime {
  private readonly ends: (() => Promise<void>)[] = [];
  private ending: Promise<void> | undefined;

  constructor() {
    for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => this.end(code));
    whenOrphaned(() => void this.end(SIGNALS.SIGTERM));
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

/** Calls `end` again and again once the script's parent has died. */
export function whenOrphaned(end: () => void): void {
  const parent = process.ppid;
  const grandparent = parentOf(parent);
  setInterval(() => {
    // tsx runs a script in a child process, so the script's real parent is one level up.
    if (process.ppid !== parent || parentOf(parent) !== grandparent) end();
  }, PARENT_CHECK_MS).unref();
}

function parentOf(pid: number): number | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\)(?=[^)]*$)/);
    return Number(afterName.trim().split(' ')[1]);
  } catch {
    return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
  }
}
