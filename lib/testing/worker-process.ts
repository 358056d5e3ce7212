import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../scripts/port';
import { builtProgram } from './built-program';
import { eventually } from './product';

/** The real worker in a separate process, with this process's environment. */
export class WorkerProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** Starts it and waits until it works: while it starts, it would end if the database went away. */
  static async start(): Promise<WorkerProcess> {
    const [program, port] = [await builtProgram('scripts/worker'), await freePort()];
    const args = [program, '--port', String(port)];
    const worker = new WorkerProcess(spawn(process.execPath, args, { stdio: 'ignore' }));
    await eventually(() => fetch(`http://127.0.0.1:${port}/api/health/ready`).catch(() => null));
    return worker;
  }

  /** Ends it as a power cut does: no signal handler runs. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}
