import type { Lifetime } from '../scripts/lifetime';
import { BenchProcess } from './bench-process';

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
  private constructor(private readonly child: BenchProcess) {}

  static start(lifetime: Lifetime): Sender {
    return new Sender(BenchProcess.start('bench/sender-process.ts', lifetime));
  }

  /** Sends all calls, this many at a time, and returns the answer and duration of each. */
  send(sending: Sending): Promise<Sent[]> {
    const answered = this.child.next<Sent[]>(Array.isArray);
    this.child.send(sending);
    return answered;
  }
}
