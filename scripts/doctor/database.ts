import pg from 'pg';
import { findsOurTables } from '@/lib/db/finds-our-tables';
import { isSameDatabase } from '@/lib/db/is-same-database';
import { PooledByTransaction, requireSessions } from '@/lib/db/require-sessions';
import type { Env } from '@/lib/env';
import { SECOND_MS } from '@/lib/time';
import { OLDEST_POSTGRES } from '../prepare-database';
import { type Finding, fine, named, wrong } from './finding';
import type { Context, Subject } from './subject';

const CONNECT_MS = 10 * SECOND_MS;
const MAX_SECONDS_OFF = 30;

interface Server {
  version: number;
  name: string;
  encoding: string;
  isStandby: boolean;
  isReadOnly: boolean;
  /** Tables of ours and of the job queue that belong to a role whose rights this one does not have. */
  foreignTables: string[];
  mayCreateSchemas: boolean;
  mayCreateTables: boolean;
  at: Date;
}

const SERVER = `
  select current_setting('server_version_num')::int / 10000 as version, current_setting('server_version') as name,
    current_setting('server_encoding') as encoding, pg_is_in_recovery() as "isStandby",
    (select reset_val = 'on' from pg_settings where name = 'default_transaction_read_only') as "isReadOnly",
    array(select relname::text from pg_class where relkind in ('r', 'p')
      and relnamespace in (to_regnamespace('public')::oid, to_regnamespace('graphile_worker')::oid)
      and not pg_has_role(relowner, 'usage') and not exists (select from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
      order by relname) as "foreignTables",
    has_database_privilege(current_database(), 'CREATE') as "mayCreateSchemas",
    coalesce(has_schema_privilege(to_regnamespace('public')::oid, 'CREATE'), false) as "mayCreateTables",
    clock_timestamp() as at`;

async function openReadOnlySession(address: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {});
  await client.connect();
  // Whole tables are counted, and the role may have a timeout that is meant for the application's statements.
  await client.query('set default_transaction_read_only = on; set statement_timeout = 0');
  return client;
}

/** The database server, its role and its addresses. */
export const database: Subject = {
  name: 'Database',
  check: async ({ env, session }) => {
    // Connect again to find out why there is no session.
    if (!session)
      return openReadOnlySession(env.DATABASE_SESSION_URL).then(close, (error) => [unreachable(error)]);
    const pooled = await findPooler(env);
    if (pooled) return [pooled];
    const server = await readServer(session);
    const found = [...checkServer(server), ...(await checkSecondAddress(env))];
    return found.length > 0
      ? found
      : [fine(`PostgreSQL ${server.name} answers with everything that is needed.`)];
  },
};

async function close(session: pg.Client): Promise<Finding[]> {
  await session.end();
  return [];
}

const readServer = async (session: pg.Client) => (await session.query<Server>(SERVER)).rows[0] as Server;

function unreachable(error: unknown, name = 'DATABASE_SESSION_URL, or DATABASE_URL without it,'): Finding {
  const { code = '', message } = error as Error & { code?: string };
  const advice = ADVICE.find(([codes]) => codes.test(code))?.[1];
  return wrong(
    `The database does not let us in: ${message}.`,
    advice ??
      `Check host, port, user, password, database and sslmode of ${name} and whether PostgreSQL accepts connections from here (pg_hba.conf, firewall).`,
  );
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const ADVICE: [RegExp, string][] = [
  [
    /^53/,
    'Give PostgreSQL room on its disk, or connections: max_connections, or the limit of the database or role.',
  ],
  [/^57P/, 'Wait until PostgreSQL has started. Its own log says what keeps it.'],
];

async function findPooler({ DATABASE_SESSION_URL }: Env): Promise<Finding | undefined> {
  try {
    await requireSessions(DATABASE_SESSION_URL);
    return undefined;
  } catch (error) {
    if (!(error instanceof PooledByTransaction)) throw error;
    return wrong(
      'The database address leads to a transaction pooler.',
      'Set DATABASE_SESSION_URL to an address that leads to PostgreSQL itself or to a session pooler.',
    );
  }
}

function checkServer(server: Server): Finding[] {
  const secondsOff = Math.round(Math.abs(server.at.getTime() - Date.now()) / SECOND_MS);
  const found: Finding[] = [];
  if (server.version < OLDEST_POSTGRES) {
    found.push(
      wrong(`PostgreSQL ${server.name} is too old.`, `Upgrade it to version ${OLDEST_POSTGRES} or newer.`),
    );
  }
  if (server.isStandby) {
    found.push(
      wrong('The database is a standby, which accepts no writes.', 'Set DATABASE_URL to the primary.'),
    );
  }
  if (server.isReadOnly && !server.isStandby) {
    found.push(
      wrong(
        'The database accepts no writes, because default_transaction_read_only is on.',
        'Turn it off where it is set: alter role <role> or database <database> set default_transaction_read_only = off.',
      ),
    );
  }
  if (server.foreignTables.length > 0) {
    found.push(
      wrong(
        `Tables belong to another role: ${named(server.foreignTables)}.`,
        'Restore the backup as this role, or make it the owner: alter table <table> owner to <role>.',
      ),
    );
  }
  if (server.encoding !== 'UTF8') {
    found.push(
      wrong(
        `The database is encoded in ${server.encoding}.`,
        "Create it with encoding 'UTF8' template template0.",
      ),
    );
  }
  if (!server.mayCreateSchemas || !server.mayCreateTables) {
    found.push(
      wrong(
        'The role may not create tables and schemas, so no migration can be applied.',
        'Make it the owner of the database: alter database <database> owner to <role>.',
      ),
    );
  }
  if (secondsOff > MAX_SECONDS_OFF) {
    found.push(
      wrong(
        `The clock of the database and that of this machine differ by ${secondsOff} seconds.`,
        'Let both follow a time server.',
      ),
    );
  }
  return found;
}

/** With a pooler there are two addresses; they must lead to the same tables. */
async function checkSecondAddress({ DATABASE_URL, DATABASE_SESSION_URL }: Env): Promise<Finding[]> {
  const addresses =
    DATABASE_URL === DATABASE_SESSION_URL ? { DATABASE_URL } : { DATABASE_URL, DATABASE_SESSION_URL };
  try {
    if (!(await isSameDatabase(DATABASE_URL, DATABASE_SESSION_URL))) {
      return [
        wrong(
          'DATABASE_URL and DATABASE_SESSION_URL lead to two databases.',
          'Let both lead to the same one, the second without a transaction pooler.',
        ),
      ];
    }
    const found: Finding[] = [];
    for (const [name, address] of Object.entries(addresses)) {
      if (await findsOurTables(address)) continue;
      found.push(
        wrong(
          `The search_path of ${name} leads to other tables than those in the schema public.`,
          'Run "alter role <role> in database <database> set search_path = public", and set none in the address.',
        ),
      );
    }
    return found;
  } catch (error) {
    return [unreachable(error, 'DATABASE_URL')];
  }
}

/** The session for the checks; null when there is none. */
export const sessionOrNull = (env: Env): Promise<Context['session']> =>
  openReadOnlySession(env.DATABASE_SESSION_URL).catch(() => null);
