import http from 'node:http';
import https from 'node:https';
import { requireNoTransaction } from '@/lib/open-transaction';
import { SECOND_MS, type TimeLeft, timeLeft } from '@/lib/time';
import { readLargeAnswer } from './large-answers';

interface HttpCall {
  method: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** The most that an answer may have; reading stops there. */
  maxBytes: number;
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

/** The service answered more than is read. Asking again would not change that. */
export class AnswerTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The answer is larger than ${maxBytes} bytes`);
    this.name = 'AnswerTooLarge';
  }
}

// Most answers are smaller and are read as they come.
const LARGE_BYTES = 64 * 1024;

// One that is kept for longer may have been forgotten on the way, and a call over it would hang.
const IDLE_MS = 15 * SECOND_MS;

const agents = {
  'http:': new http.Agent({ keepAlive: true, timeout: IDLE_MS }),
  'https:': new https.Agent({ keepAlive: true, timeout: IDLE_MS }),
};

/**
 * One call over a connection that is kept for the next. It costs a process a fraction of what `fetch` does, which
 * matters where every card makes one. Throws when there is no whole answer in time, and AnswerTooLarge, CallTooLate, and
 * within a transaction.
 */
export function callHttp(address: string, call: HttpCall): Promise<HttpAnswer> {
  requireNoTransaction();
  const { method, headers, body, timeoutMs, maxBytes, claimLeft } = call;
  const callLeft = timeLeft(timeoutMs);
  const url = new URL(address);
  const { request } = url.protocol === 'https:' ? https : http;
  const agent = url.protocol === 'https:' ? agents['https:'] : agents['http:'];
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      let endReading: (() => void) | undefined;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) {
          const error = new AnswerTooLarge(maxBytes);
          reject(error);
          sent.destroy(error);
          return;
        }
        chunks.push(chunk);
        if (size <= LARGE_BYTES || endReading) return;
        response.pause();
        endReading = readLargeAnswer(headers['authorization'] ?? '', () => response.resume());
      });
      response.on('end', () => {
        const text = Buffer.concat(chunks.splice(0)).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      response.on('error', reject);
      response.on('close', () => {
        clearTimeout(timer);
        // By then the caller has reduced it to what is needed.
        if (endReading) setImmediate(endReading);
      });
    });
    const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), timeoutMs);
    sent.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      // The other side had given up the kept connection, and a question may be asked again.
      const isStale = method === 'GET' && sent.reusedSocket && error.code === 'ECONNRESET';
      if (isStale) resolve(callHttp(address, call));
      else reject(error);
    });
    // This process may have been paused since it decided to call: it looks once more when the connection stands.
    const write = () => {
      const left = callLeft();
      if (claimLeft && claimLeft() < left) sent.destroy(new CallTooLate());
      else if (left <= 0) sent.destroy(new Error('no answer in time'));
      else sent.end(body);
    };
    sent.on('socket', (socket) => {
      if (socket.connecting) socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', write);
      else write();
    });
  });
}
