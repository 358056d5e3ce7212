import { fine, wrong } from './finding';
import type { Subject } from './subject';

// Each process holds one more for its notifications and one for its lock.
const BESIDES_THE_POOL = 2;

interface Limits {
  /** The limits of PostgreSQL, the database and the role, without reserved connections; -1 means none of its own. */
  server: number;
  database: number;
  role: number;
  usedOnServer: number;
  usedInDatabase: number;
  usedByRole: number;
}

const LIMITS_SQL = `
  select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) as server,
    (select datconnlimit from pg_database where datname = current_database()) as database,
    (select rolconnlimit from pg_roles where rolname = current_user) as role,
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "usedOnServer",
    (select count(*)::int from pg_stat_activity where datname = current_database()) as "usedInDatabase",
    (select count(*)::int from pg_stat_activity where usename = current_user) as "usedByRole"`;

/** Whether the database has connections left for one more process of ours, which a rolling restart needs. */
export const spareConnections: Subject = {
  name: 'Connections',
  check: async ({ env, session }) => {
    if (!session) return [];
    const { rows } = await session.query<Limits>(LIMITS_SQL);
    const left = leftOf(rows[0] as Limits);
    const needed = env.DATABASE_POOL_SIZE + BESIDES_THE_POOL;
    const all = `A process uses up to ${needed} connections`;
    if (left >= needed) return [fine(`${all}; ${left} are free.`)];
    return [
      wrong(
        `${all}, but only ${left} are free.`,
        'Raise max_connections of PostgreSQL or the limit of the database or role, or lower DATABASE_POOL_SIZE.',
      ),
    ];
  },
};

function leftOf(found: Limits): number {
  // The doctor's own session ends with it.
  return (
    1 +
    Math.min(
      found.server - found.usedOnServer,
      found.database < 0 ? Number.POSITIVE_INFINITY : found.database - found.usedInDatabase,
      found.role < 0 ? Number.POSITIVE_INFINITY : found.role - found.usedByRole,
    )
  );
}
