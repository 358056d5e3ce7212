import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startGuarded } from '../scripts/guarded-child';
import type { Lifetime } from '../scripts/lifetime';
import { NEXT } from '../scripts/next-server';
import { freePort } from '../scripts/port';

const PACKAGES = join(import.meta.dirname, '../node_modules');
const START_LIMIT_MS = 30_000;

const FILES = {
  'package.json': '{ "private": true, "type": "module" }',
  // node_modules is a link to ours, and Turbopack refuses links that lead out of its root.
  'next.config.mjs': `export default { turbopack: { root: ${JSON.stringify(parse(PACKAGES).root)} } };`,
  'app/layout.jsx':
    'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }',
  'app/page.jsx': 'export default function Page() { return <h1>Empty</h1>; }',
};

/** Builds and starts an empty Next.js application. Returns its address. */
export async function startEmptyApp(lifetime: Lifetime): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'empty-next-'));
  lifetime.add(async () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'app'));
  symlinkSync(PACKAGES, join(folder, 'node_modules'));
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);

  let output = '';
  const next = (...args: string[]) => {
    const child = startGuarded({
      command: process.execPath,
      args: [NEXT, ...args],
      env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      signal: 'TERM',
      onOutput: (text) => {
        output += text;
      },
    });
    lifetime.add(child.stop);
    return child;
  };
  if ((await next('build', folder).ended) !== 0)
    throw new Error(`The empty application was not built.\n${output}`);
  const port = await freePort();
  const server = next('start', folder, '--hostname', '127.0.0.1', '--port', String(port));
  const url = `http://127.0.0.1:${port}`;
  for (const start = Date.now(); Date.now() - start < START_LIMIT_MS; await wait(50)) {
    if ((await fetch(url).catch(() => undefined))?.ok) return url;
  }
  await server.stop();
  throw new Error(`The empty application did not start.\n${output}`);
}
