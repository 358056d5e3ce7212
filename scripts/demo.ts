import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startSandbox } from '../sandbox/main';
import { ensureBuild } from './build';
import { lockDemo } from './demo-lock';
import { demoVariables } from './demo-variables';
import { removePostgres, startPostgres } from './embedded-postgres';
import { type Lifetime, runWithLifetime } from './lifetime';
import { startNext } from './next-server';
import { PlainError } from './plain-error';
import { parsePort, requireDifferentPorts, requireFreePort } from './port';
import { prepareDatabase } from './prepare-database';

const FOLDER = '.pagewire';
const DATA = `${FOLDER}/postgres`;
const SANDBOX_STORE = `${FOLDER}/sandbox.json`;
const LOG = `${FOLDER}/app.log`;

const HELP = `Runs Pagewire with stand-ins for Discord, Notion, Stripe and the identity provider.

  --port <n>           the application (3000)
  --sandbox-port <n>   the first of four ports for the stand-ins (3100)
  --postgres-port <n>  the embedded PostgreSQL (15433); DATABASE_URL replaces it
  --fresh              begin with empty data
  --dev                reload on every change of the sources`;

async function main(lifetime: Lifetime): Promise<void> {
  const options = readOptions();
  if (!options) return console.log(HELP);
  const { port, sandboxPort, postgresPort, fresh, dev } = options;
  const { database: ownDatabase, LOG_LEVEL } = demoVariables(process.env);
  if (fresh && ownDatabase) {
    throw new PlainError(
      '--fresh empties only the embedded database. Unset DATABASE_URL or leave --fresh out.',
    );
  }
  const sandboxPorts = [0, 1, 2, 3].map((each) => sandboxPort + each);
  requireDifferentPorts([
    { port, flag: '--port' },
    ...sandboxPorts.map((each) => ({ port: each, flag: '--sandbox-port (the first of four)' })),
    ...(ownDatabase ? [] : [{ port: postgresPort, flag: '--postgres-port' }]),
  ]);

  const unlock = lockDemo(`${FOLDER}/demo.lock`);
  lifetime.add(async () => unlock());
  // npm keeps flags to itself unless two dashes come before them.
  const flag = (name: string) => `npm run ${dev ? 'dev' : 'demo'} -- ${name} <n>`;
  await requireFreePort(port, 'the application', flag('--port'));
  for (const each of sandboxPorts) await requireFreePort(each, 'the sandbox', flag('--sandbox-port'));
  if (!ownDatabase) await requireFreePort(postgresPort, 'PostgreSQL', flag('--postgres-port'));
  if (fresh) {
    removePostgres(DATA);
    rmSync(SANDBOX_STORE, { force: true });
  }

  if (!dev) {
    await ensureBuild(lifetime, () => console.log('Building the application. This takes a minute.'));
  }

  const database = ownDatabase ?? (await startDatabase(postgresPort, lifetime));
  await prepareDatabase(database);

  const appUrl = `http://localhost:${port}`;
  const sandbox = await startSandbox({
    ports: {
      identity: sandboxPort,
      discord: sandboxPort + 1,
      notion: sandboxPort + 2,
      stripe: sandboxPort + 3,
    },
    appUrl,
    storePath: SANDBOX_STORE,
  });
  lifetime.add(sandbox.stop);

  writeFileSync(LOG, '');
  const app = await startNext({
    mode: dev ? 'dev' : 'start',
    port,
    env: {
      ...sandbox.env,
      ...database,
      LOG_LEVEL,
    },
    onOutput: (text) => (dev ? process.stdout.write(text) : appendFileSync(LOG, text)),
  });
  lifetime.add(app.stop);
  app.ended.then(() => lifetime.end(1));
  console.log(welcome(appUrl, sandbox.context.urls, dev));
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '3000' },
      'sandbox-port': { type: 'string', default: '3100' },
      'postgres-port': { type: 'string', default: '15433' },
      fresh: { type: 'boolean', default: false },
      dev: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  return {
    port: parsePort(values.port, '--port'),
    sandboxPort: parsePort(values['sandbox-port'], '--sandbox-port'),
    postgresPort: parsePort(values['postgres-port'], '--postgres-port'),
    fresh: values.fresh,
    dev: values.dev,
  };
}

async function startDatabase(port: number, lifetime: Lifetime) {
  const { url, stop } = await startPostgres({ folder: DATA, port });
  lifetime.add(stop);
  return { DATABASE_URL: url, DATABASE_SESSION_URL: url };
}

function welcome(appUrl: string, urls: { discord: string; notion: string }, dev: boolean): string {
  return `
Pagewire is ready: ${appUrl}

  1. Press Login with Discord and choose Mira.
  2. Add the bot to a Discord server, then connect the Notion workspace.
  3. Under Rules, create one for Sprint board: Page Updated, watching Status.
  4. Change the status of a row: ${urls.notion}
  5. See the card arrive:        ${urls.discord}

Ctrl-C stops everything.${dev ? '' : ` The application's log is in ${LOG}.`}
`;
}

runWithLifetime(main);
