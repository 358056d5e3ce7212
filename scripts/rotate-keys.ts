import { run } from './plain-error';
import { requireSameTables } from './prepare-database';
import { loadConfiguration } from './real-configuration';

const PRINT_EVERY_MS = 2000;

/** Reseals with the first key everything that other keys sealed. The product may keep running meanwhile. */
async function main(): Promise<void> {
  await requireSameTables(loadConfiguration());
  const { rotateKeys } = await import('@/lib/features/keys/rotate-keys');
  const { configuredKeyIds } = await import('@/lib/features/keys/tally');
  const { reportRotation } = await import('@/lib/features/keys/rotation-report');
  const { closeDatabase } = await import('@/lib/db/database');
  let source = '';
  let printedAt = 0;
  const left = await rotateKeys((tally) => {
    if (tally.source === source && Date.now() - printedAt < PRINT_EVERY_MS) return;
    [source, printedAt] = [tally.source, Date.now()];
    console.log(`${source}: ${tally.seen} rows seen, ${tally.resealed} resealed`);
  });
  for (const line of reportRotation(configuredKeyIds(), left)) console.log(line);
  await closeDatabase();
  if (left.length > 0) process.exitCode = 1;
}

run(main);
