import { PlainError, run } from './plain-error';
import { requireSameTables } from './prepare-database';
import { loadConfiguration } from './real-configuration';

const PRINT_EVERY_MS = 2000;

/** Reseals with the first key everything that other keys sealed. The product may keep running meanwhile. */
async function main(): Promise<void> {
  await requireSameTables(loadConfiguration());
  const { closeDatabase } = await import('@/lib/db/database');
  try {
    await rotate();
  } finally {
    // An open connection would keep this process alive after a failure.
    await closeDatabase();
  }
}

async function rotate(): Promise<void> {
  const { listMissingMigrations } = await import('@/lib/db/missing-migrations');
  if ((await listMissingMigrations()).length > 0) {
    throw new PlainError('The database lacks migrations of this version. Apply them first: npm run migrate');
  }
  const { rotateKeys } = await import('@/lib/features/keys/rotate-keys');
  const { configuredKeyIds } = await import('@/lib/features/keys/tally');
  const { reportRotation } = await import('@/lib/features/keys/rotation-report');
  let source = '';
  let printedAt = 0;
  const left = await rotateKeys((tally) => {
    if (tally.source === source && Date.now() - printedAt < PRINT_EVERY_MS) return;
    [source, printedAt] = [tally.source, Date.now()];
    console.log(`${source}: ${tally.seen} rows seen, ${tally.resealed} resealed`);
  });
  for (const line of reportRotation(configuredKeyIds(), left)) console.log(line);
  if (left.length > 0) process.exitCode = 1;
}

run(main);
