import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { isBuilt } from './build';
import { whenOrphaned } from './lifetime';
import { WEB_ENVIRONMENT, WEB_SERVER } from './next-server';
import { PlainError, run } from './plain-error';
import { parsePort, requireFreePort } from './port';
import { loadConfiguration } from './real-configuration';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

// Node listens on all addresses of both kinds if it is given none.
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/** Production: requires the real configuration, applies migrations, then runs the server until it ends. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { host: { type: 'string' }, port: { type: 'string' } } });
  const env = loadConfiguration();
  const port = choosePort(values.port, env.APP_URL);
  await requireFreePort(port, 'the application', '--port');
  if (!isBuilt()) throw new PlainError('There is no build yet. Run "npm run build" first.');
  // The server loads its code while we prepare the database.
  const address = [...chooseHost(values.host, env.APP_URL), '--port', String(port)];
  const server = spawn(process.execPath, [...WEB_SERVER, ...address, '--hold'], {
    env: { ...WEB_ENVIRONMENT, ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // Also while migrations are applied: one that is cut off is applied as a whole or not at all.
  server.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => server.kill(signal));
  // npm passes no signal on to us: it ends the shell between.
  if (process.env.npm_lifecycle_event) whenOrphaned(() => server.kill('SIGTERM'));
  const { prepareDatabase } = await import('./prepare-database');
  await prepareDatabase(env).catch((error: Error) => {
    server.removeAllListeners('exit').kill('SIGKILL');
    throw error;
  });
  if (server.connected) server.send('go on');
}

function chooseHost(flag: string | undefined, appUrl: string): string[] {
  const host = flag ?? (LOOPBACK.includes(new URL(appUrl).hostname) ? '127.0.0.1' : undefined);
  return host === undefined || EVERY_ADDRESS.includes(host) ? [] : ['--hostname', host];
}

function choosePort(flag: string | undefined, appUrl: string): number {
  if (flag) return parsePort(flag, '--port');
  if (process.env.PORT) return parsePort(process.env.PORT, 'PORT');
  const { hostname, port } = new URL(appUrl);
  return LOOPBACK.includes(hostname) && port ? Number(port) : 3000;
}

run(main);
