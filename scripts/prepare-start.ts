import { parseArgs } from 'node:util';
import { isBuilt } from './build';
import { PlainError, run } from './plain-error';
import { parsePort, requireFreePort } from './port';
import { loadConfiguration } from './real-configuration';

/** The address of this machine by its names in a URL. */
const LOOPBACK: Record<string, string> = { localhost: '127.0.0.1', '127.0.0.1': '127.0.0.1', '[::1]': '::1' };

// Node listens on all addresses of both kinds if it is given none.
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/**
 * Prepares a start for `scripts/start.mjs`: checks configuration, port and build, sends the address for the server, brings
 * the database up to date, and says so.
 */
async function main(): Promise<void> {
  // Without a parent there is nothing to start. The channel must not keep this process alive.
  if (!process.connected) process.exit(1);
  process.once('disconnect', () => process.exit(1)).channel?.unref();
  const { values } = parseArgs({ options: { host: { type: 'string' }, port: { type: 'string' } } });
  const env = loadConfiguration();
  const port = choosePort(values.port, env.APP_URL);
  await requireFreePort(port, 'the application', '--port');
  if (!isBuilt()) throw new PlainError('There is no build yet. Run "npm run build" first.');
  send({ hostname: chooseHost(values.host, env.APP_URL), port });
  const { prepareDatabase } = await import('./prepare-database');
  await prepareDatabase(env);
  send('migrated');
}

/** Sends to the parent; a parent that is gone needs nothing. */
function send(message: unknown): void {
  process.send?.(message, undefined, undefined, () => undefined);
}

/** Undefined for all addresses. */
function chooseHost(flag: string | undefined, appUrl: string): string | undefined {
  const host = flag ?? LOOPBACK[new URL(appUrl).hostname];
  return host === undefined || EVERY_ADDRESS.includes(host) ? undefined : host;
}

function choosePort(flag: string | undefined, appUrl: string): number {
  if (flag) return parsePort(flag, '--port');
  if (process.env.PORT) return parsePort(process.env.PORT, 'PORT');
  const { hostname, port } = new URL(appUrl);
  return LOOPBACK[hostname] && port ? Number(port) : 3000;
}

run(main);
