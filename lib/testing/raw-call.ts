import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  /** 0 when the connection was closed without an answer. */
  status: number;
  head: string;
  body: string;
}

/** A connection on which a test can write anything. Collects everything that is received until it closes. */
export class RawCall {
  private readonly socket: Socket;
  private received = '';
  readonly closed: Promise<RawAnswer>;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.setEncoding('latin1');
    this.socket.on('data', (text) => {
      this.received += text;
    });
    // Data sent to a closed connection is answered by a reset.
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve(this.answer())));
  }

  write(text: string): this {
    this.socket.write(text);
    return this;
  }

  /** Writes the head of a POST, without the body. */
  post(path: string, headers: Record<string, string | number>): this {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return this.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n`);
  }

  end(): void {
    this.socket.destroy();
  }

  answer(): RawAnswer {
    const [head = '', body = ''] = this.received.split('\r\n\r\n');
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body };
  }
}
