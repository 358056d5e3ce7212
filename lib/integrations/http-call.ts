import http from 'node:http';
import https from 'node:https';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { answerKind, metrics, type Service } from '@/lib/metrics';
import { requireNoTransaction } from '@/lib/open-transaction';
import { withStorableTexts } from '@/lib/storable';
import { DAY_MS, SECOND_MS, type TimeLeft, timeLeft } from '@/lib/time';
import { readLargeResponse } from './read-large-response';

interface HttpCall {
  /** The called service, for the metrics; absent for a call that they leave out. */
  service?: Service;
  method: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** The largest response body to read, in bytes. */
  maxBytes: number;
  /** Whether it does no harm to make the call twice; absent means that only a GET does none. */
  isRepeatable?: boolean;
  /** How long the caller may still make this call. The call is not made unless that outlasts its timeout. */
  claimLeft?: TimeLeft;
}

/** The caller's claim could end before the call does; nothing was sent. */
export class CallTooLate extends Error {
  constructor() {
    super('too late to call');
    this.name = 'CallTooLate';
  }
}

export interface HttpResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** The response is larger than we read. A retry would not change that. */
export class ResponseTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The response is larger than ${maxBytes} bytes`);
    this.name = 'ResponseTooLarge';
  }
}

// Most responses are smaller and are read as they arrive.
const LARGE_BYTES = 64 * 1024;

// A connection that idles longer may have been dropped along the way, and a call over it would hang.
const IDLE_MS = 15 * SECOND_MS;

// How a connection fails that the other side has closed.
const STALE = ['ECONNRESET', 'EPIPE'];

const agents = {
  'http:': new http.Agent({ keepAlive: true, timeout: IDLE_MS }),
  'https:': new https.Agent({ keepAlive: true, timeout: IDLE_MS }),
};

/** How long to wait for a service that asks for so many seconds, in milliseconds: at most a day, then it is asked again. */
export const waitMs = (seconds: number): number => Math.min(Math.ceil(seconds * SECOND_MS), DAY_MS);

/**
 * Makes one call over a keep-alive connection. It costs a fraction of what `fetch` does, which matters because every
 * card makes a call. Throws when the whole response has not arrived in time, and when called within a transaction; also
 * throws ResponseTooLarge and CallTooLate.
 */
export function callHttp(address: string, call: HttpCall): Promise<HttpResponse> {
  requireNoTransaction();
  return measured(address, call);
}

async function measured(address: string, call: HttpCall): Promise<HttpResponse> {
  const startedAt = performance.now();
  const { service } = call;
  if (!service) return makeCall(address, call);
  const note = (status: number) =>
    metrics.calls.observe(
      { service, answer: answerKind(status) },
      (performance.now() - startedAt) / SECOND_MS,
    );
  try {
    const response = await makeCall(address, call);
    note(response.status);
    return response;
  } catch (error) {
    if (!(error instanceof CallTooLate)) note(0);
    throw error;
  }
}

const NO_CONTENT = 204;

const INFLATE = new Map<string | undefined, () => Transform>([
  ['gzip', createUnzip],
  ['x-gzip', createUnzip],
  ['deflate', createUnzip],
  ['br', createBrotliDecompress],
]);

/** The body of a response. Some servers and proxies compress it although we ask them not to. */
function inflated(response: http.IncomingMessage): Readable {
  const inflate = INFLATE.get(response.headers['content-encoding']?.toLowerCase());
  const isEmpty = response.statusCode === NO_CONTENT;
  return inflate && !isEmpty ? pipeline(response, inflate(), () => undefined) : response;
}

function makeCall(address: string, call: HttpCall): Promise<HttpResponse> {
  const { method, headers, body, timeoutMs, maxBytes, claimLeft, isRepeatable = method === 'GET' } = call;
  const callLeft = timeLeft(timeoutMs);
  const url = new URL(address);
  const { request } = url.protocol === 'https:' ? https : http;
  const agent = url.protocol === 'https:' ? agents['https:'] : agents['http:'];
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    // Without this header a server may compress: https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
    const plain = { 'accept-encoding': 'identity' };
    const sent = request(url, { method, agent, headers: { ...plain, ...headers, ...length } }, (response) => {
      const received = inflated(response);
      const chunks: Buffer[] = [];
      let size = 0;
      let endReading: (() => void) | undefined;
      received.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) {
          const error = new ResponseTooLarge(maxBytes);
          reject(error);
          sent.destroy(error);
          return;
        }
        chunks.push(chunk);
        if (size <= LARGE_BYTES || endReading) return;
        received.pause();
        endReading = readLargeResponse(headers['authorization'] ?? '', () => received.resume());
      });
      received.on('end', () => {
        const text = Buffer.concat(chunks.splice(0)).toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: withStorableTexts(text),
        });
      });
      received.on('error', reject);
      received.on('close', () => {
        clearTimeout(timer);
        // Wait until the caller has reduced the response to what it needs.
        if (endReading) setImmediate(endReading);
      });
    });
    const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), timeoutMs);
    sent.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      // The other side had closed the idle connection.
      const isStale = sent.reusedSocket && STALE.includes(error.code ?? '');
      if (isStale && isRepeatable) resolve(makeCall(address, call));
      else reject(error);
    });
    // The process may have been paused since it decided to call, so check again once the connection is open.
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
