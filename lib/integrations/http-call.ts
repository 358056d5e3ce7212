import http from 'node:http';
import https from 'node:https';
import { SECOND_MS, type TimeLeft, timeLeft } from '@/lib/time';

interface HttpCall {
  method: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** How long the caller has a claim to what the call does. It is not made unless that outlasts the timeout. */
  claimLeft?: TimeLeft;
}

/** The caller's claim would not outlast the call, of which nothing has left this process. */
export class CallTooLate extends Error {
  constructor() {
    super('too late to call');
    this.name = 'CallTooLate';
  }
}

export interface HttpAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

// One that is kept for longer may have been forgotten on the way, and a call over it would hang.
const IDLE_MS = 15 * SECOND_MS;

const agents = {
  'http:': new http.Agent({ keepAlive: true, timeout: IDLE_MS }),
  'https:': new https.Agent({ keepAlive: true, timeout: IDLE_MS }),
};

/**
 * One call over a connection that is kept for the next. It costs a process a fraction of what `fetch` does, which
 * matters where every card makes one. Throws when there is no whole answer in time.
 */
export function callHttp(
  address: string,
  { method, headers, body, timeoutMs, claimLeft }: HttpCall,
): Promise<HttpAnswer> {
  const callLeft = timeLeft(timeoutMs);
  const url = new URL(address);
  const { request } = url.protocol === 'https:' ? https : http;
  const agent = url.protocol === 'https:' ? agents['https:'] : agents['http:'];
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const call = request(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      response.on('error', reject);
      response.on('close', () => clearTimeout(timer));
    });
    const timer = setTimeout(() => call.destroy(new Error('no answer in time')), timeoutMs);
    call.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      // The other side had given up the kept connection, and a question may be asked again.
      const isStale = method === 'GET' && call.reusedSocket && error.code === 'ECONNRESET';
      if (isStale) resolve(callHttp(address, { method, headers, body, timeoutMs, claimLeft }));
      else reject(error);
    });
    // This process may have been paused since it decided to call: it looks once more when the connection stands.
    const write = () => {
      const left = callLeft();
      if (claimLeft && claimLeft() < left) call.destroy(new CallTooLate());
      else if (left <= 0) call.destroy(new Error('no answer in time'));
      else call.end(body);
    };
    call.on('socket', (socket) => {
      if (socket.connecting) socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', write);
      else write();
    });
  });
}
