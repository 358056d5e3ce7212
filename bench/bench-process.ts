import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Lifetime } from '../scripts/lifetime';

type Said = Record<string, unknown>;

/** A script of the bench in its own process, which ends with this one. */
export class BenchProcess {
  private constructor(private readonly child: ChildProcess) {}

  static start(script: string, lifetime: Lifetime, env: Record<string, string> = {}): BenchProcess {
    const child = fork(script, { execArgv: ['--import', 'tsx'], env: { ...process.env, ...env } });
    const process_ = new BenchProcess(child);
    lifetime.add(() => process_.stop());
    return process_;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  send(message: object): void {
    this.child.send(message);
  }

  /** The process's next message of the wanted kind. Throws when the process ends instead. */
  next<T = Said>(isWanted: (said: Said) => boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      const onMessage = (said: unknown) => {
        if (typeof said !== 'object' || said === null || !isWanted(said as Said)) return;
        this.child.off('message', onMessage);
        this.child.off('exit', onExit);
        resolve(said as T);
      };
      const onExit = () => reject(new Error('A process of the bench ended'));
      this.child.on('message', onMessage);
      this.child.once('exit', onExit);
    });
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill();
    await gone;
  }
}
