import http from 'node:http';
import https from 'node:https';
import { SECOND_MS } from '@/lib/time';

interface HttpCall {
  method: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
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
  { method, headers, body, timeoutMs }: HttpCall,
): Promise<HttpAnswer> {
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
      if (isStale) resolve(callHttp(address, { method, headers, body, timeoutMs }));
      else reject(error);
    });
    call.end(body);
  });
}
