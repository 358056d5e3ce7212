import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { isBuilt } from './build';
import { whenOrphaned } from './lifetime';
import { WEB_ENVIRONMENT, WEB_SERVER } from './next-server';
import { PlainError, run } from './plain-error';
import { parsePort, requireFreePort } from './port';
import { loadConfiguration } from './real-configuration';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Production: requires the real configuration, applies migrations, then runs the server until it ends. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string' } } });
  const env = loadConfiguration();
  const port = choosePort(values.port, env.APP_URL);
  await requireFreePort(port, 'the application', '--port');
  if (!isBuilt()) throw new PlainError('There is no build yet. Run "npm run build" first.');
  const local = LOOPBACK.includes(new URL(env.APP_URL).hostname);
  const host = local ? ['--hostname', '127.0.0.1'] : [];
  // The server loads its code while we prepare the database.
  const server = spawn(process.execPath, [...WEB_SERVER, ...host, '--port', String(port), '--hold'], {
    env: { ...WEB_ENVIRONMENT, ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(server, 'exit');
  const { prepareDatabase } = await import('./prepare-database');
  await prepareDatabase(env).catch((error: Error) => {
    server.kill('SIGKILL');
    throw error;
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => server.kill(signal));
  // npm passes no signal on to us: it ends the shell between.
  if (process.env.npm_lifecycle_event) whenOrphaned(() => server.kill('SIGTERM'));
  if (server.connected) server.send('go on');
  const [code, signal] = await ended;
  process.exit(signal ? 1 : (code ?? 1));
}

function choosePort(flag: string | undefined, appUrl: string): number {
  if (flag) return parsePort(flag, '--port');
  if (process.env.PORT) return parsePort(process.env.PORT, 'PORT');
  const { hostname, port } = new URL(appUrl);
  return LOOPBACK.includes(hostname) && port ? Number(port) : 3000;
}

run(main);
