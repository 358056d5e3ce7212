import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { freePort } from './port';

const SCRIPT = `
  const { writeFileSync } = await import('node:fs');
  const { runWithLifetime } = await import('./scripts/lifetime.ts');
  const { startPostgres } = await import('./scripts/embedded-postgres.ts');
  const [root, port] = process.argv.slice(1);
  runWithLifetime(async (lifetime) => {
    const { stop } = await startPostgres({ folder: root + '/postgres', port: Number(port) });
    lifetime.add(stop);
    writeFileSync(root + '/ready', '');
  });`;

test('Ctrl-C while the data is set up is no failure, and the next start sets it up anew', async () => {
  const root = mkdtempSync(join(tmpdir(), 'pagewire-embedded-'));
  // A root's PostgreSQL runs as another user.
  chmodSync(root, 0o755);
  const interruptAt = async (path: string) => {
    const args = ['--import', 'tsx', '-e', SCRIPT, root, String(await freePort())];
    const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = Promise.all([child.stdout, child.stderr].map(text));
    const ended = once(child, 'exit');
    await expect.poll(() => existsSync(join(root, path)), { interval: 10 }).toBe(true);
    // A terminal sends the signal to the whole group.
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await ended;
    return (await said).join('');
  };
  expect(await interruptAt('postgres.part')).toBe('');
  expect(await interruptAt('ready')).toBe('');
  rmSync(root, { recursive: true });
});
