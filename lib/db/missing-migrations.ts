import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Prisma, runStatement } from './database';

const QUEUE = 'graphile_worker';

/**
 * The migrations of this version that the database lacks, by name and in order. The job queue's own come last, so they
 * count as applied once its table is there. Throws when the database does not answer.
 */
export async function listMissingMigrations(): Promise<string[]> {
  const [tables] = await runStatement<{ ours: string | null; queue: string | null }>(Prisma.sql`
    select to_regclass('_prisma_migrations')::text as ours, to_regclass('graphile_worker.jobs')::text as queue`);
  const applied = tables?.ours ? await listApplied() : [];
  const missing = listOwn().filter((name) => !applied.includes(name));
  return tables?.queue ? missing : [...missing, QUEUE];
}

async function listApplied(): Promise<string[]> {
  const rows = await runStatement<{ name: string }>(Prisma.sql`
    select migration_name as name from _prisma_migrations
    where finished_at is not null and rolled_back_at is null`);
  return rows.map(({ name }) => name);
}

function listOwn(): string[] {
  return readdirSync(join(process.cwd(), 'prisma', 'migrations'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
