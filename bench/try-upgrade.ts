import { setTimeout as wait } from 'node:timers/promises';
import { migrate } from '../prisma/migrate';
import { ensureBuild } from '../scripts/build';
import { type Lifetime, runWithLifetime } from '../scripts/lifetime';
import { type Counts, isRight, Load } from './rolling/load';
import { measureMigrating } from './rolling/migrations-under-load';
import { checkOut, findRelease, migrationsOf } from './rolling/release';
import { type FleetSetup, setUpFleet } from './rolling/start-fleet';

// Long enough for everything that a worker does periodically.
const PHASE_MS = 10_000;
const PAGES = 1500;
const MAX_WAIT_MS = 1000;

/**
 * Upgrades from the version before, or from the named commit: first only the migrations, on a filled database that
 * others write to; then everything under load, forward and back. Fails if anything was lost, doubled or kept waiting.
 */
async function tryUpgrade(lifetime: Lifetime): Promise<boolean> {
  const commit = findRelease(process.argv[2]);
  console.log(`From ${commit} to the present sources.`);
  const { waits, applied } = await measureMigrating(lifetime, migrationsOf(commit));
  console.log(`Migrations: ${applied.join(', ') || 'none'}. The longest wait of a write:`);
  console.table(waits);
  await ensureBuild(lifetime);
  const folder = await checkOut(commit, lifetime);
  const ground = await setUpFleet(lifetime);
  const counts = await upgradeUnderLoad(ground, folder);
  console.table(counts);
  console.log(ground.fleet.describe());
  const isQuick = waits.every((each) => each['migrating, ms'] <= MAX_WAIT_MS);
  return isQuick && counts.every(isRight) && ground.fleet.crashed.length === 0;
}

async function upgradeUnderLoad(ground: FleetSetup, folder: string): Promise<Counts[]> {
  const { fleet, env } = ground;
  const before = { folder, env };
  const present = { folder: process.cwd(), env };
  await migrate(ground.databaseUrl, folder);
  await fleet.deploy(before);
  const load = await Load.prepare(ground, PAGES);
  const phase = async (what: string, work: () => Promise<void>) => {
    load.begin(what);
    await work();
    await wait(PHASE_MS);
  };
  load.begin('the version before');
  load.start();
  await wait(PHASE_MS);
  await phase('it goes on after the migrations', () => fleet.run(present, 'scripts/migrate.ts'));
  await phase('upgrade', () => fleet.deploy(present));
  await phase('back', () => fleet.deploy(before));
  return load.stop();
}

runWithLifetime(async (lifetime) => {
  const isFine = await tryUpgrade(lifetime);
  await lifetime.end(isFine ? 0 : 1);
});
