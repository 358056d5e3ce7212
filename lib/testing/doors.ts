import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, extname, join, relative, sep } from 'node:path';
import { getRequestListener } from '@hono/node-server';

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

interface Door {
  pattern: RegExp;
  names: string[];
  file: string;
}

const ROOT = 'app/api';

// The handlers have the same file extension as this file, whether these are the sources or their build.
const MODULES = join(import.meta.dirname, '../..');
const EXTENSION = extname(import.meta.filename);

/** The application's own route handlers behind a real HTTP server on this port, without the pages. */
export async function openDoors(port = 0): Promise<{ server: Server; url: string }> {
  const doors = findDoors();
  // As in production, Node reads the rest of a refused body; this package would cut the connection after half a second.
  const listener = getRequestListener((request) => answer(doors, request), { autoCleanupIncoming: false });
  const server = createServer(listener);
  // A caller that calls again and again would otherwise keep its connection, and the server, open for ever.
  server.prependListener('request', (_, response) => {
    if (!server.listening) response.setHeader('connection', 'close');
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function answer(doors: Door[], request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  for (const { pattern, names, file } of doors) {
    const match = pattern.exec(pathname);
    if (!match) continue;
    const module: Record<string, Handler | undefined> = await import(/* @vite-ignore */ file);
    const handler = module[request.method];
    if (!handler) return new Response(null, { status: 405 });
    const params = Object.fromEntries(
      names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')]),
    );
    return handler(request, { params: Promise.resolve(params) });
  }
  return new Response(null, { status: 404 });
}

/** The files of all routes except catch-all routes. */
export function routeFiles(): string[] {
  return readdirSync(ROOT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name === 'route.ts' && !entry.parentPath.includes('[...'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function findDoors(): Door[] {
  return (
    routeFiles()
      .map((source) => {
        const path = relative('app', dirname(source)).split(sep).join('/');
        const names: string[] = [];
        const pattern = path.replace(/\[(\w+)\]/g, (_, name: string) => {
          names.push(name);
          return '([^/]+)';
        });
        return {
          pattern: new RegExp(`^/${pattern}$`),
          names,
          file: join(MODULES, `app/${path}/route${EXTENSION}`),
        };
      })
      // Like Next, prefers a fixed name to a parameter.
      .sort((a, b) => a.names.length - b.names.length)
  );
}
