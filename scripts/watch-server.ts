import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { GET as ready } from '@/app/api/health/ready/route';
import { GET as metrics } from '@/app/api/metrics/route';
import { missingRoute } from '@/lib/http/missing-route';

const ROUTES = new Map([
  ['GET /api/metrics', metrics],
  ['GET /api/health/ready', ready],
]);
const missing = missingRoute();

/** Lets a process that only works jobs be monitored: answers metrics and readiness, and nothing else. */
export async function startWatchServer(port: number): Promise<{ port: number; stop(): Promise<void> }> {
  const answer = (request: Request) => {
    const route = ROUTES.get(`${request.method} ${new URL(request.url).pathname}`);
    return (route ?? missing)(request);
  };
  const server = createServer(getRequestListener(answer, { overrideGlobalObjects: false }));
  server.listen(port);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
