import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtProgram } from './built-program';

/** The real worker in a process of its own, with this process's environment. */
export class WorkerProcess {
  private constructor(private readonly child: ChildProcess) {}

  static async start(): Promise<WorkerProcess> {
    const program = await builtProgram('scripts/worker');
    return new WorkerProcess(spawn(process.execPath, [program], { stdio: 'ignore' }));
  }

  /** Ends it as a power cut does: no signal handler runs. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}
