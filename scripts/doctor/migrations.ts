import { createHash } from 'node:crypto';
import type pg from 'pg';
import { JOBS_TABLE } from '@/lib/queue/private-tables';
import { listTables, readMigrations } from '../../prisma/migrate';
import { hasTables } from '../has-tables';
import { type Finding, fine, named, remark, wrong } from './finding';
import type { Subject } from './subject';

interface Applied {
  name: string;
  checksum: string;
  isDone: boolean;
}

const APPLY =
  'Start the application of this version with "npm start", or in a container run "node scripts/migrate.mjs": each applies them.';

/** Whether the database has exactly the schema of this version. */
export const migrations: Subject = {
  name: 'Migrations',
  check: async ({ session }) => {
    if (!session) return [];
    const applied = await readApplied(session);
    if (applied === 'none') return [remark('The database is empty.', APPLY)];
    if (applied === 'foreign') {
      return [
        wrong('The database has tables that are not ours.', 'Create a database of its own for Pagewire.'),
      ];
    }
    const found = compare(applied);
    const hasQueue = await hasTables(session, JOBS_TABLE);
    if (found.length === 0 && !hasQueue) return [wrong('The tables of the job queue are missing.', APPLY)];
    return found.length > 0 ? found : [fine(`All ${applied.length} migrations are applied.`)];
  },
};

async function readApplied(session: pg.Client): Promise<Applied[] | 'none' | 'foreign'> {
  const tables = await listTables(session);
  if (tables.length === 0) return 'none';
  if (!tables.includes('_prisma_migrations')) return 'foreign';
  const { rows } = await session.query<Applied>(`
    select distinct on (migration_name) migration_name as name, checksum, finished_at is not null as "isDone"
    from public._prisma_migrations where rolled_back_at is null order by migration_name, started_at desc`);
  return rows;
}

function compare(applied: Applied[]): Finding[] {
  const ours = new Map(readMigrations().map(({ name, script }) => [name, script]));
  const sumOf = (name: string) =>
    createHash('sha256')
      .update(ours.get(name) ?? '')
      .digest('hex');
  const missing = [...ours.keys()].filter((name) => !applied.some((each) => each.name === name));
  const broken = applied.filter(({ isDone }) => !isDone).map(({ name }) => name);
  const unknown = applied.filter(({ name }) => !ours.has(name)).map(({ name }) => name);
  const changed = applied
    .filter(({ name, checksum, isDone }) => isDone && ours.has(name) && checksum !== sumOf(name))
    .map(({ name }) => name);
  return [
    ...(missing.length > 0 ? [wrong(`Not applied: ${named(missing)}.`, APPLY)] : []),
    ...broken.map((name) => wrong(`The migration ${name} was begun and did not end.`, APPLY)),
    ...(unknown.length > 0
      ? [wrong(`The database is of a newer version: it has ${named(unknown)}.`, 'Deploy that version.')]
      : []),
    ...(changed.length > 0
      ? [wrong(`Applied with another text: ${named(changed)}.`, 'Deploy the version that applied them.')]
      : []),
  ];
}
