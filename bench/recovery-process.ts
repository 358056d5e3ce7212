import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { closeDatabase, db } from '@/lib/db/database';
import { InstalledPostgres, startPgBouncer } from '@/lib/testing/installed-postgres';
import { movableAddress } from '@/lib/testing/movable-address';
import { Pipeline } from '@/lib/testing/pipeline';
import { PipelineProcess } from '@/lib/testing/pipeline-process';
import { startConnectedProduct } from '@/lib/testing/product';
import { MINUTE_MS } from '@/lib/time';
import { migrate } from '../prisma/migrate';
import { type Lifetime, runWithLifetime } from '../scripts/lifetime';
import { programOf } from '../scripts/program';
import { runNode } from '../scripts/run-command';
import type { Recovery } from './recovery';
import { RisingPages } from './rising-pages';

const scenario = process.env['RECOVERY'] ?? '';
const PHASE_MS = Number(process.env['RECOVERY_PHASE_MS']);
const LAG_MS = 1000;
const EVERY_MS = 60;

interface Setting {
  primary: InstalledPostgres;
  pipeline: Pipeline;
  pages: RisingPages;
  worker: PipelineProcess;
  moveTo(port: number): void;
  /** Runs one of our commands with this product's configuration and a database. */
  command(name: 'backup' | 'restore', address: string, ...args: string[]): Promise<void>;
}

/** The product at work, on a database server behind an address that can be moved. */
async function begin(lifetime: Lifetime): Promise<Setting> {
  const primary = await InstalledPostgres.start(lifetime);
  await migrate(primary.url);
  const { port, moveTo } = await movableAddress(primary.port);
  const url = primary.url.replace(String(primary.port), String(port));
  const pipeline = new Pipeline(await startConnectedProduct({ url, drop: async () => {} }));
  lifetime.add(() => pipeline.story.product.stop());
  await pipeline.story.product.work();
  const pages = await RisingPages.begin(pipeline);
  await pipeline.story.product.rest();
  const worker = new PipelineProcess(0);
  lifetime.add(() => worker.kill());
  await worker.start();
  const command = async (name: string, address: string, ...args: string[]) => {
    const env = { DATABASE_URL: address, DATABASE_SESSION_URL: address };
    const { ok, output } = await runNode([programOf('tsx'), `scripts/${name}.ts`, ...args], { env });
    if (!ok) throw new Error(`${name}: ${output}`);
  };
  return { primary, pipeline, pages, worker, moveTo, command };
}

/** How many of the sent cards the current database server does not know. */
async function countForgotten(sent: number): Promise<number> {
  return Math.max(0, sent - (await db().message.count({ where: { state: 'sent' } })));
}

async function end({ pages }: Setting, what: string, forgotten: number): Promise<Recovery> {
  await pages.editedAt(new Date(Date.now() - 5 * MINUTE_MS));
  await pages.redeliverFailed();
  await pages.idle();
  return { what, forgotten, ...(await pages.count()) };
}

/** A backup is made under load; later the server is lost, and the backup is restored to another. */
async function restored(lifetime: Lifetime): Promise<Recovery> {
  const setting = await begin(lifetime);
  const { primary, pipeline, pages, worker, moveTo, command } = setting;
  const file = join(tmpdir(), `pagewire-${process.pid}.backup`);
  lifetime.add(async () => rmSync(file, { force: true }));
  const going = pages.keepGoing(EVERY_MS);
  await wait(PHASE_MS);
  await command('backup', primary.url, file);
  await wait(PHASE_MS);
  await primary.lose();
  const sent = (await pipeline.cards()).length;
  await wait(LAG_MS);
  await going.stop();
  await worker.kill();
  await closeDatabase();
  const other = await InstalledPostgres.start(lifetime);
  await command('restore', other.url, file);
  moveTo(other.port);
  const forgotten = await countForgotten(sent);
  await worker.start();
  return end(setting, 'a backup made under load, restored to another server', forgotten);
}

/** The server is lost, and PostgreSQL recovers it to an earlier moment from a base backup and the archived WAL. */
async function moment(lifetime: Lifetime): Promise<Recovery> {
  const setting = await begin(lifetime);
  const { primary, pipeline, pages, worker, moveTo, command } = setting;
  const other = await InstalledPostgres.baseBackup(lifetime, primary);
  const going = pages.keepGoing(EVERY_MS);
  await wait(PHASE_MS);
  const { rows } = await primary.query('select now()::text as moment');
  await wait(PHASE_MS);
  // In production the archive is at most archive_timeout late.
  await primary.query('select pg_switch_wal()');
  await wait(LAG_MS);
  await primary.lose();
  const sent = (await pipeline.cards()).length;
  await going.stop();
  await worker.kill();
  await closeDatabase();
  await other.startAt(rows[0].moment, primary);
  await command('restore', other.url, '--recovered');
  moveTo(other.port);
  const forgotten = await countForgotten(sent);
  await worker.start();
  return end(setting, 'a base backup and archived WAL, recovered to a moment under load', forgotten);
}

/** A synchronous standby is promoted at once; the product never stops. */
async function standby(lifetime: Lifetime): Promise<Recovery> {
  const setting = await begin(lifetime);
  const { primary, pipeline, pages, moveTo } = setting;
  const other = await InstalledPostgres.follow(lifetime, primary);
  await primary.query(`alter system set synchronous_standby_names = 'standby'`);
  await primary.query('select pg_reload_conf()');
  const going = pages.keepGoing(EVERY_MS);
  await wait(PHASE_MS);
  await primary.lose();
  const sent = (await pipeline.cards()).length;
  await other.promote();
  moveTo(other.port);
  const forgotten = await countForgotten(sent);
  await wait(PHASE_MS);
  await going.stop();
  return end(setting, 'a synchronous standby, promoted under load', forgotten);
}

/** A standby that lags behind is promoted while the product is stopped, and the recovery is recorded. */
async function lateStandby(lifetime: Lifetime): Promise<Recovery> {
  const setting = await begin(lifetime);
  const { primary, pipeline, pages, worker, moveTo, command } = setting;
  const other = await InstalledPostgres.follow(lifetime, primary);
  const going = pages.keepGoing(EVERY_MS);
  await wait(PHASE_MS);
  await other.query(`alter system set primary_conninfo = ''`);
  await other.query('select pg_reload_conf()');
  await wait(LAG_MS);
  await primary.lose();
  const sent = (await pipeline.cards()).length;
  await worker.kill();
  await closeDatabase();
  await other.promote();
  await command('restore', other.url, '--recovered');
  moveTo(other.port);
  const forgotten = await countForgotten(sent);
  await worker.start();
  await wait(PHASE_MS);
  await going.stop();
  return end(setting, 'a standby one second behind, promoted and told so', forgotten);
}

/** Pages and doors go through PgBouncer in transaction mode. */
async function pooled(lifetime: Lifetime): Promise<Recovery> {
  const primary = await InstalledPostgres.start(lifetime);
  await migrate(primary.url);
  process.env['DATABASE_SESSION_URL'] = primary.url;
  const url = await startPgBouncer(lifetime, primary);
  const pipeline = new Pipeline(await startConnectedProduct({ url, drop: async () => {} }));
  lifetime.add(() => pipeline.story.product.stop());
  await pipeline.story.product.work();
  const pages = await RisingPages.begin(pipeline);
  const going = pages.keepGoing(EVERY_MS);
  await wait(2 * PHASE_MS);
  await going.stop();
  await pages.idle();
  return { what: 'behind PgBouncer in transaction mode', forgotten: 0, ...(await pages.count()) };
}

const SCENARIOS: Record<string, (lifetime: Lifetime) => Promise<Recovery>> = {
  restored,
  moment,
  standby,
  'late-standby': lateStandby,
  pooled,
};

runWithLifetime(async (lifetime) => {
  process.send?.(await SCENARIOS[scenario]?.(lifetime));
  await lifetime.end(0);
});
