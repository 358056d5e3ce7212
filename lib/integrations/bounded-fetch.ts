import type { Service } from '@/lib/metrics';
import { callHttp } from './http-call';

interface Bounds {
  service: Service;
  timeoutMs: number;
  /** The largest response body to read, in bytes. */
  maxBytes: number;
}

/**
 * A `fetch` over keep-alive connections with a limit on the size of a response, for packages that accept a custom one.
 */
export function boundedFetch(bounds: Bounds) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { method } = request;
    const headers = Object.fromEntries(request.headers);
    const body = request.body === null ? undefined : await request.text();
    const response = await callHttp(request.url, { method, headers, body, ...bounds }).catch((cause) => {
      throw new TypeError('fetch failed', { cause });
    });
    const named = Object.entries(response.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return new Response(response.text || null, { status: response.status, headers: named });
  };
}
