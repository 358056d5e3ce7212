import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The real worker in a process of its own, with this process's environment. */
export class WorkerProcess {
  private constructor(private readonly child: ChildProcess) {}

  static start(): WorkerProcess {
    const args = ['--import', 'tsx', 'scripts/worker.ts'];
    return new WorkerProcess(spawn(process.execPath, args, { stdio: 'ignore' }));
  }

  /** Ends it as a power cut does: no signal handler runs. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}
