import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/** Starts a server in Sentry's place that keeps everything that it receives. */
export async function startSentry() {
  let received = '';
  const server = createServer(async (request, response) => {
    received += await readText(request);
    // Browsers send their reports from another origin.
    response.setHeader('access-control-allow-origin', '*').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    dsn: `http://key@127.0.0.1:${port}/1`,
    origin: `http://127.0.0.1:${port}`,
    received: () => received,
    stop: () => server.close(),
  };
}

// Long reports are compressed.
async function readText(request: IncomingMessage): Promise<string> {
  const body = await buffer(request);
  return String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
}
