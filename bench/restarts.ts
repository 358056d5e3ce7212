import { randomBytes } from 'node:crypto';
import { migrate } from '../prisma/migrate';
import { ensureBuild } from '../scripts/build';
import type { Lifetime } from '../scripts/lifetime';
import { type Counts, Load } from './rolling/load';
import { setUpFleet } from './rolling/start-fleet';

const TIMES = 20;
const PAGES = 4500;
const KEY_BYTES = 32;

/**
 * What happens to events and calls while web processes and workers are replaced one by one, twenty times, and while the
 * encryption key is rotated.
 */
export async function restartRows(lifetime: Lifetime): Promise<Counts[]> {
  await ensureBuild(lifetime);
  const ground = await setUpFleet(lifetime);
  const { fleet, env } = ground;
  const withKeys = (...keys: string[]) => ({
    folder: process.cwd(),
    env: { ...env, ENCRYPTION_KEYS: keys.join(',') },
  });
  const old = env['ENCRYPTION_KEYS'] ?? '';
  const young = randomBytes(KEY_BYTES).toString('base64');
  await migrate(ground.databaseUrl);
  await fleet.deploy(withKeys(old));
  const load = await Load.prepare(ground, PAGES);

  load.begin(`restarts, ${TIMES} times`);
  load.start();
  for (let time = 0; time < TIMES; time += 1) {
    await Promise.all([fleet.deployWorkers(withKeys(old)), fleet.deployWebs(withKeys(old))]);
  }
  load.begin('keys rotated');
  await fleet.deploy(withKeys(old, young));
  await fleet.deploy(withKeys(young, old));
  await fleet.run(withKeys(young, old), 'scripts/rotate-keys.ts');
  await fleet.deploy(withKeys(young));
  const counts = await load.stop();
  console.log(fleet.describe());
  return counts;
}
