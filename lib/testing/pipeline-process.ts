import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { builtProgram } from './built-program';

// Optimising Prisma's WebAssembly takes a tenth of a start's processor time, threads that collect garbage and compile
// another tenth, and nothing lives long enough to gain by them.
const SHORT_LIVED = ['--liftoff-only', '--single-threaded'];

/** One process of the pipeline that a test starts again and again: a web process with its worker, or a worker alone. */
export class PipelineProcess {
  private child: ChildProcess | undefined;

  /**
   * With a port it serves the doors there. Its clock is ahead of the others' by `aheadMs`; `env` replaces parts of its
   * environment.
   */
  constructor(
    private readonly port: number,
    private readonly aheadMs = 0,
    private readonly env: Record<string, string> = {},
  ) {}

  /** Starts it and, unless told otherwise, waits until it works. */
  async start(): Promise<void> {
    const child = fork(await builtProgram('lib/testing/pipeline-program'), {
      execArgv: SHORT_LIVED,
      env: {
        ...process.env,
        ...this.env,
        PIPELINE_PORT: String(this.port),
        PIPELINE_AHEAD_MS: String(this.aheadMs),
      },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.child = child;
    await Promise.race([once(child, 'message'), once(child, 'exit')]);
  }

  /** Sets its clock forward or back. */
  stepClock(stepMs: number): void {
    this.child?.send({ stepMs });
  }

  /** Suspends it with its connections open, as a debugger or a machine without memory does. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  /** Ends it as a power cut does: no signal handler runs, nothing is finished. */
  async kill(): Promise<void> {
    await this.signal('SIGKILL');
  }

  /** Ends it as a deployment does: it finishes what it has begun. Returns its exit code. */
  async end(): Promise<number | null> {
    return this.signal('SIGTERM');
  }

  private async signal(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const gone = once(child, 'exit');
    child.kill(signal);
    const [code] = await gone;
    return code;
  }
}
