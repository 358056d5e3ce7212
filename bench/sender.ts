import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Lifetime } from '../scripts/lifetime';

export interface Post {
  headers: Record<string, string>;
  body: string;
}

export interface Sending {
  url: string;
  posts: Post[];
  inFlight: number;
}

export interface Sent {
  status: number;
  text: string;
  ms: number;
}

/** A process that only sends prepared calls, so that its timing measures nothing but the door. */
export class Sender {
  private constructor(private readonly child: ChildProcess) {}

  static start(lifetime: Lifetime): Sender {
    const child = fork(join(import.meta.dirname, 'sender-process.ts'), { execArgv: ['--import', 'tsx'] });
    lifetime.add(async () => {
      child.kill();
    });
    return new Sender(child);
  }

  /** Sends all calls, this many at a time, and returns the answer and duration of each. */
  async send(sending: Sending): Promise<Sent[]> {
    const answered = once(this.child, 'message');
    this.child.send(sending);
    const [sent] = (await answered) as [Sent[]];
    return sent;
  }
}
