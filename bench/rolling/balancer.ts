import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Lifetime } from '../../scripts/lifetime';

const HOST = '127.0.0.1';
const LOOK_EVERY_MS = 500;
const ANSWER_MS = 5000;

/** A proxy in front of several web processes. It sends calls only to those that are ready. */
export class Balancer {
  private readonly ready = new Set<number>();
  private next = 0;

  private constructor(private readonly ports: number[]) {}

  /** Answers on `port` until the lifetime ends, for processes on `ports`. */
  static async start(lifetime: Lifetime, port: number, ports: number[]): Promise<Balancer> {
    const balancer = new Balancer(ports);
    const server = createServer((incoming, outgoing) => void balancer.pass(incoming, outgoing));
    server.listen(port, HOST);
    await once(server, 'listening');
    const watching = ports.map((each) => balancer.watch(each, () => server.listening));
    lifetime.add(async () => {
      server.close();
      server.closeAllConnections();
      await Promise.all(watching);
    });
    return balancer;
  }

  /** Waits until the process on this port gets calls. */
  async knows(port: number, isGoing: () => boolean): Promise<void> {
    while (!this.ready.has(port)) {
      if (!isGoing()) throw new Error('A web process ended before it was ready');
      await wait(LOOK_EVERY_MS);
    }
  }

  private async watch(port: number, isOpen: () => boolean): Promise<void> {
    for (; isOpen(); await wait(LOOK_EVERY_MS)) {
      if (await isReady(port)) this.ready.add(port);
      else this.ready.delete(port);
    }
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    this.next += 1;
    const ready = this.ports.filter((port) => this.ready.has(port));
    const turn = this.next % Math.max(1, ready.length);
    // A process that cannot be connected to has not received the call, so the next may get it.
    for (const port of [...ready.slice(turn), ...ready.slice(0, turn)]) {
      if ((await passTo(port, incoming, body, outgoing)) === 'passed') return;
    }
    outgoing.writeHead(502).end();
  }
}

function passTo(
  port: number,
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<'passed' | 'refused'> {
  const { method, url, headers } = incoming;
  return new Promise((resolve) => {
    const call = request({ host: HOST, port, path: url, method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'close' });
      answer.pipe(outgoing);
      answer.once('error', () => outgoing.destroy());
      resolve('passed');
    });
    call.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') return resolve('refused');
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
      resolve('passed');
    });
    call.end(body);
  });
}

/** Older versions cannot tell whether they are ready, but they can tell whether they are healthy. */
async function isReady(port: number): Promise<boolean> {
  // A connection that is kept open and reused would keep a process from ending.
  const headers = { connection: 'close' };
  const ask = (path: string) =>
    fetch(`http://${HOST}:${port}${path}`, { headers, signal: AbortSignal.timeout(ANSWER_MS) }).catch(
      () => undefined,
    );
  const ready = await ask('/api/health/ready');
  const answer = ready?.status === 404 ? await ask('/api/health') : ready;
  return answer?.ok ?? false;
}
