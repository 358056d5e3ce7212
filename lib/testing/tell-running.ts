import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { MINUTE_MS } from '../time';

const QUIET_MS = 5 * MINUTE_MS;

/** Names the test files that are running when none has ended for minutes, so that a run that hangs says where. */
export default class TellRunning implements Reporter {
  private readonly running = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  onTestModuleStart({ moduleId }: TestModule): void {
    this.running.add(relative('.', moduleId));
    this.listen();
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.running.delete(relative('.', moduleId));
    this.listen();
  }

  onTestRunEnd(): void {
    clearInterval(this.timer);
  }

  private listen(): void {
    clearInterval(this.timer);
    this.timer = setInterval(() => {
      process.stdout.write(`Still running: ${[...this.running].join(', ')}\n`);
    }, QUIET_MS);
    this.timer.unref();
  }
}
