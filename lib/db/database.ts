import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { env } from '../env';
import { log } from '../log';
import { Prisma, PrismaClient } from './generated/client';

const POOL_SIZE = 20;
const STATEMENT_POOL_SIZE = 10;
const STATEMENT_LIFETIME_SECONDS = 60;
const TRANSACTION_TIMEOUT_MS = 15_000;

// Compiling a statement takes longer than any of ours runs.
const SETTINGS = 'set jit = off';

// So does planning one over all partitions: a plan for whatever values come is made once on each connection. It must
// still be good when a table that is small now has grown, so it looks rows up by index and reads no table whole.
const STATEMENT_SETTINGS = `${SETTINGS}; set plan_cache_mode = force_generic_plan; set enable_seqscan = off;
  set enable_hashjoin = off; set enable_mergejoin = off; set enable_material = off`;

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const FOREIGN_KEY_VIOLATION = '23503';

function connect() {
  const pool = openPool(SETTINGS, { max: POOL_SIZE });
  const statements = openPool(STATEMENT_SETTINGS, {
    max: STATEMENT_POOL_SIZE,
    // Never for being idle, but after a while, so that its plans keep up with the tables.
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: STATEMENT_LIFETIME_SECONDS,
  });
  const transactionOptions = { timeout: TRANSACTION_TIMEOUT_MS, maxWait: TRANSACTION_TIMEOUT_MS };
  const client = new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions });
  return { pool, statements, client, statementNames: new Map<string, string>() };
}

function openPool(settings: string, config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    connectionString: env().DATABASE_URL,
    onConnect: (client) => client.query(settings),
  });
  // A connection that breaks is replaced by the pool; without a listener it would end the process.
  // The error holds the whole client, which is nothing for a log.
  const onLost = ({ message }: Error) => log.warn({ reason: message }, 'database connection lost');
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  return pool;
}

// Kept on globalThis because Next loads this module once per bundle (routes, instrumentation).
const holder = globalThis as { pagewireDatabase?: ReturnType<typeof connect> };

function connection() {
  holder.pagewireDatabase ??= connect();
  return holder.pagewireDatabase;
}

/** The Prisma client of this process. */
export function db(): PrismaClient {
  return connection().client;
}

/** The connections under the Prisma client, for the job queue. */
export function databasePool(): pg.Pool {
  return connection().pool;
}

/** The connections of `runStatement`. */
export function statementPool(): pg.Pool {
  return connection().statements;
}

/**
 * Runs one statement straight on a connection, prepared and planned once per connection. For the doors that others
 * wait at and for the line to Discord: the Prisma client costs a process several times as much per statement. The
 * text must be the same at every call of one place; what varies belongs in the values, and must not be what a good
 * plan hangs on. Where rows of a table that fills and empties are looked up for each row of a list, compare their keys
 * by `= any(array[key])`: while the table is small, plain equality would have the planner walk all of it.
 */
export async function runStatement<T extends object>({ text, values }: Prisma.Sql): Promise<T[]> {
  const { rows } = await statementPool().query<T>({ name: nameOf(text), text, values });
  return rows;
}

// A name must mean one text on a connection, and every bundle of this process shares the connections.
function nameOf(text: string): string {
  const { statementNames } = connection();
  const known = statementNames.get(text);
  if (known) return known;
  const name = `s${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}

/** Ends every connection of this process. */
export async function closeDatabase(): Promise<void> {
  const open = holder.pagewireDatabase;
  if (!open) return;
  holder.pagewireDatabase = undefined;
  await open.client.$disconnect();
  await Promise.all([open.pool.end(), open.statements.end()]);
}

/** Whether a unique constraint refused the write. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}

/** Whether a row that a statement refers to is gone. Of errors of `runStatement`. */
export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === FOREIGN_KEY_VIOLATION;
}

export type Transaction = Prisma.TransactionClient;
export { Prisma };
