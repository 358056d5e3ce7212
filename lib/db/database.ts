import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { env } from '../env';
import { log } from '../log';
import { whileTransactionOpen } from '../open-transaction';
import { SECOND_MS } from '../time';
import { Prisma, PrismaClient } from './generated/client';

const STATEMENT_LIFETIME_SECONDS = 600;
const TRANSACTION_TIMEOUT_MS = 15 * SECOND_MS;

// People who wait at a page hear soon that it takes too long.
const PAGE_PATIENCE_MS = 4 * SECOND_MS;

// Whoever knocks at a door tries again by itself, and the line has its leases.
const DOOR_PATIENCE_MS = 10 * SECOND_MS;

// Nobody waits for a job.
const JOB_PATIENCE_MS = 30 * SECOND_MS;

// Compiling a statement takes longer than any of ours runs.
const SETTINGS = 'set jit = off';

// So does planning one over all partitions: a plan for whatever values come is made once on each connection. It must
// still be good when a table that is small now has grown, so it looks rows up by index and reads no table whole.
const DOOR_SETTINGS = `${SETTINGS}; set plan_cache_mode = force_generic_plan; set enable_seqscan = off;
  set enable_hashjoin = off; set enable_mergejoin = off; set enable_material = off;
  set lock_timeout = '10s'; set statement_timeout = '20s'`;

// A page's statement is done in milliseconds, unless it waits for a row that somebody holds.
const PAGE_SETTINGS = `${SETTINGS}; set lock_timeout = '4s'; set statement_timeout = '8s';
  set idle_in_transaction_session_timeout = '20s'`;

// Upkeep may take as long as it needs.
const JOB_SETTINGS = `${SETTINGS}; set lock_timeout = '30s'; set statement_timeout = 0;
  set idle_in_transaction_session_timeout = '60s'`;

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const FOREIGN_KEY_VIOLATION = '23503';

/** Three pools, so that none of pages, doors and jobs takes the connections of another. */
function connect() {
  const { DATABASE_URL, DATABASE_SESSION_URL, DATABASE_POOL_SIZE } = env();
  const max = Math.floor(DATABASE_POOL_SIZE / 3);
  // What is set or prepared on a connection of such a pool meets somebody else's statements.
  const isPooled = DATABASE_SESSION_URL !== DATABASE_URL;
  const pages = openPool(isPooled ? null : PAGE_SETTINGS, {
    max,
    connectionString: DATABASE_URL,
    connectionTimeoutMillis: PAGE_PATIENCE_MS,
  });
  const doors = openPool(isPooled ? null : DOOR_SETTINGS, {
    max,
    connectionString: DATABASE_URL,
    connectionTimeoutMillis: DOOR_PATIENCE_MS,
    // Never for being idle: a new connection plans every statement of the line, which takes 50 ms. PostgreSQL plans anew
    // when a table was analysed; after a while the connection goes all the same.
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: STATEMENT_LIFETIME_SECONDS,
  });
  const jobs = openPool(JOB_SETTINGS, {
    max,
    connectionString: DATABASE_SESSION_URL,
    connectionTimeoutMillis: JOB_PATIENCE_MS,
  });
  return {
    pools: { pages, doors, jobs },
    pageClient: openClient(pages, PAGE_PATIENCE_MS),
    jobClient: openClient(jobs, JOB_PATIENCE_MS),
    isPooled,
    statementNames: new Map<string, string>(),
  };
}

function openClient(pool: pg.Pool, maxWait: number): PrismaClient {
  const transactionOptions = { timeout: TRANSACTION_TIMEOUT_MS, maxWait };
  return new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions });
}

function openPool(settings: string | null, config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    ...(settings !== null && { onConnect: (client) => client.query(settings) }),
  });
  // A connection that breaks is replaced by the pool; without a listener it would end the process.
  // The error holds the whole client, which is nothing for a log.
  const onLost = ({ message }: Error) => log.warn({ reason: message }, 'database connection lost');
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  return pool;
}

// Kept on globalThis because Next loads this module once per bundle (routes, instrumentation).
const holder = globalThis as {
  pagewireDatabase?: ReturnType<typeof connect>;
  pagewireBackground?: AsyncLocalStorage<true>;
};
holder.pagewireBackground ??= new AsyncLocalStorage();
const background = holder.pagewireBackground;

function connection() {
  holder.pagewireDatabase ??= connect();
  return holder.pagewireDatabase;
}

/** Has everything within use connections that the calls of pages never take. */
export function inBackground<T>(work: () => T): T {
  return background.run(true, work);
}

function client(): PrismaClient {
  const { pageClient, jobClient } = connection();
  return background.getStore() ? jobClient : pageClient;
}

/** The Prisma client of this process; `transaction` begins one. */
export function db(): Transaction {
  return client();
}

/**
 * Runs several statements as one. Whoever calls somebody outside meanwhile gets an error: a transaction holds a
 * connection, and whatever it has locked.
 */
export function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return whileTransactionOpen(() => client().$transaction(work));
}

/** The connections of the job queue and of upkeep. */
export function databasePool(): pg.Pool {
  return connection().pools.jobs;
}

/** The connections under the Prisma client of the pages. */
export function pagePool(): pg.Pool {
  return connection().pools.pages;
}

/** The connections of `runStatement`. */
export function statementPool(): pg.Pool {
  return connection().pools.doors;
}

/**
 * Runs one statement straight on a connection, prepared and planned once per connection. For the doors that others
 * wait at and for the line to Discord: the Prisma client costs a process several times as much per statement. The
 * text must be the same at every call of one place; what varies belongs in the values, and must not be what a good
 * plan hangs on. Where rows of a table that fills and empties are looked up for each row of a list, compare their keys
 * by `= any(array[key])`: while the table is small, plain equality would have the planner walk all of it.
 */
export async function runStatement<T extends object>({ text, values }: Prisma.Sql): Promise<T[]> {
  const { pools, isPooled } = connection();
  const { rows } = await pools.doors.query<T>(
    isPooled ? { text, values } : { name: nameOf(text), text, values },
  );
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
  await Promise.all([open.pageClient.$disconnect(), open.jobClient.$disconnect()]);
  await Promise.all(Object.values(open.pools).map((pool) => pool.end()));
}

/** Whether a unique constraint refused the write. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}

/** Whether a row that a statement refers to is gone. Of errors of `runStatement`. */
export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === FOREIGN_KEY_VIOLATION;
}

export type Transaction = Omit<Prisma.TransactionClient, '$transaction'>;
export { Prisma };
