import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server in Sentry's place that keeps everything it is sent. */
export async function startSentry() {
  let received = '';
  const server = createServer((request, response) => {
    request.on('data', (part) => {
      received += part;
    });
    request.on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const dsn = `http://key@127.0.0.1:${(server.address() as AddressInfo).port}/1`;
  return { dsn, received: () => received, stop: () => server.close() };
}
