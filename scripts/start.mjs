/**
 * Production: requires the real configuration, applies migrations, then runs the server until it ends. This process
 * stays as long as the server, so it holds as little as possible; a second process prepares the start and ends.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { WEB_ENVIRONMENT, WEB_SERVER } from './web-process.mjs';
import { whenOrphaned } from './when-orphaned.mjs';

/** @type {['inherit', 'inherit', 'inherit', 'ipc']} */
const STDIO = ['inherit', 'inherit', 'inherit', 'ipc'];

try {
  if (existsSync('.env')) process.loadEnvFile('.env');
} catch {
  // The preparation reads it, too, and says why it cannot.
}
const preparing = spawn(process.execPath, [...programOfPreparation(), ...process.argv.slice(2)], {
  stdio: STDIO,
});
// The server loads its code meanwhile.
const server = spawn(process.execPath, [WEB_SERVER, '--hold'], {
  env: { ...WEB_ENVIRONMENT, ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  stdio: STDIO,
});

preparing.on('message', (message) => {
  if (server.connected) server.send(/** @type {object} */ (message));
});
preparing.once('exit', (code, signal) => {
  if (code !== 0) end(code, signal);
});
server.once('exit', end);
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => server.kill(signal));
// npm forwards no signals; it ends the shell in between.
if (process.env.npm_lifecycle_event) whenOrphaned(() => server.kill('SIGTERM'));

/** A packed folder holds the program as plain JavaScript. */
function programOfPreparation() {
  const packed = join(import.meta.dirname, 'prepare-start.mjs');
  if (existsSync(packed)) return [packed];
  return ['--import', import.meta.resolve('tsx'), join(import.meta.dirname, 'prepare-start.ts')];
}

/**
 * Ends as the first process that ended. A migration that is cut off is applied as a whole or not at all.
 * @param {number | null} code @param {NodeJS.Signals | null} signal
 */
function end(code, signal) {
  for (const child of [preparing, server]) child.kill('SIGKILL');
  process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']);
}
