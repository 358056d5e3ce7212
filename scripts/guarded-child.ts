import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface GuardedChild {
  /** The group's first process, the parent of the program; undefined when it could not be started. */
  pid: number | undefined;
  /** Resolves with the exit code when the program has ended, for whatever reason. */
  ended: Promise<number | null>;
  stop(): Promise<void>;
  /** Kills everything that the program left running in its group. */
  killRest(): void;
}

interface Options {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** The folder to run it in; absent means this process's own. */
  cwd?: string;
  /** The signal that ends the program. */
  signal: 'INT' | 'TERM';
  user?: { uid: number; gid: number };
  onOutput: (text: string) => void;
  /** How long it may take to end before it is killed. */
  stopLimitMs?: number;
}

const STOP_LIMIT_MS = 10_000;

/**
 * The shell reads a pipe that we hold open. It closes when we stop the program or die, and then the shell ends the
 * program. So nothing is left behind even if we are killed with SIGKILL.
 */
const GUARD = `
exec 3<&0
"$@" 3<&- </dev/null &
program=$!
{ cat <&3 >/dev/null; kill -$SIGNAL $program 2>/dev/null; } &
wait $program
exit $?
`;

/** Starts a program in its own process group, so that Ctrl-C in the terminal reaches only us. */
export function startGuarded(options: Options): GuardedChild {
  const { command, args, env, cwd, signal, user, onOutput, stopLimitMs = STOP_LIMIT_MS } = options;
  const guarded = process.platform !== 'win32';
  const [file, list] = guarded
    ? ['/bin/sh', ['-c', GUARD.replace('$SIGNAL', signal), 'sh', command, ...args]]
    : [command, args];
  const child = spawn(file, list, {
    env,
    cwd,
    ...user,
    detached: guarded,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  child.stdout.setEncoding('utf8').on('data', onOutput);
  child.stderr.setEncoding('utf8').on('data', onOutput);
  child.stdin.on('error', () => undefined);

  const ended = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      onOutput(`${error.message}\n`);
      resolve(1);
    });
    child.once('exit', (code) => {
      child.stdin.destroy();
      resolve(code);
    });
  });

  return {
    pid: child.pid,
    ended,
    stop: async () => {
      const limit = setTimeout(() => killGroup(child), stopLimitMs);
      if (guarded) child.stdin.end();
      else child.kill();
      await ended;
      clearTimeout(limit);
    },
    killRest: () => killGroup(child),
  };
}

/** Whether this process is alive and runs the program: the system reuses process ids. */
export function isRunning(pid: number, program: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  if (process.platform === 'win32') return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program);
  } catch {
    return spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout.includes(
      program,
    );
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}
