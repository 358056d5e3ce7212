import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { env } from '../env';
import { log } from '../log';
import { whileTransactionOpen } from '../open-transaction';
import { processState } from '../process-state';
import { MINUTE_MS, SECOND_MS } from '../time';
import { breakWhenSilent, KEEP_ALIVE } from './break-when-silent';
import { Prisma, PrismaClient } from './generated/client';
import { isBackendGone, learnBackend } from './own-backend';
import { PoolRoutingAdapter } from './pool-routing-adapter';
import { type Statement, statementOf } from './statement-of';
import { UtcClient } from './utc-client';

const STATEMENT_LIFETIME_SECONDS = 600;
const TRANSACTION_TIMEOUT_MS = 15 * SECOND_MS;
const DELETION_TIMEOUT_MS = 120 * SECOND_MS;

// Planning a statement takes as long as hundreds of runs, and every connection plans for itself. So each statement
// keeps to one of several small pools, which hand out the connection that was used last.
const DOOR_LANES = 5;

// A person who waits for a page should be told soon if it takes too long.
const PAGE_PATIENCE_MS = 8 * SECOND_MS;

// People come back within minutes, and on a busy machine a connection takes long to open.
const PAGE_IDLE_MS = 5 * MINUTE_MS;

// Callers of doors retry, and the pipeline holds leases for longer.
const DOOR_PATIENCE_MS = 10 * SECOND_MS;

// Nobody waits for a job.
const JOB_PATIENCE_MS = 30 * SECOND_MS;

// Longer than a statement may take: until then, PostgreSQL itself says that it took too long.
const DOOR_SILENCE_MS = 22 * SECOND_MS;
const PAGE_SILENCE_MS = DELETION_TIMEOUT_MS + 5 * SECOND_MS;

// A job's statement may take longer than this, so the database is asked about it.
const JOB_SILENCE_MS = MINUTE_MS;

// JIT compilation takes longer than any of our statements.
const SETTINGS = 'set jit = off';

// Planning over all partitions takes longer than the statement itself, so each connection plans once, for any values.
// The plan must still be good when a small table has grown, so it always uses indexes and never scans a table.
const DOOR_SETTINGS = `${SETTINGS}; set plan_cache_mode = force_generic_plan; set enable_seqscan = off;
  set enable_hashjoin = off; set enable_mergejoin = off; set enable_material = off;
  set lock_timeout = '10s'; set statement_timeout = '20s'`;

// A page's statement takes milliseconds, unless it waits for a locked row.
const PAGE_SETTINGS = `${SETTINGS}; set lock_timeout = '4s'; set statement_timeout = '8s';
  set idle_in_transaction_session_timeout = '20s'`;

// Upkeep may take as long as it needs.
const JOB_SETTINGS = `${SETTINGS}; set lock_timeout = '30s'; set statement_timeout = 0;
  set idle_in_transaction_session_timeout = '60s'`;

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const LOCK_NOT_AVAILABLE = '55P03';

/** Opens separate pools for pages, doors and jobs, so that these cannot take each other's connections. */
function connect() {
  const { DATABASE_URL, DATABASE_SESSION_URL, DATABASE_POOL_SIZE } = env();
  const max = Math.floor(DATABASE_POOL_SIZE / 3);
  // Behind a transaction pooler, whatever we set or prepare on a connection would affect other clients' statements.
  const isPooled = DATABASE_SESSION_URL !== DATABASE_URL;
  const pages = openPool(isPooled ? null : PAGE_SETTINGS, PAGE_SILENCE_MS, {
    max,
    connectionString: DATABASE_URL,
    connectionTimeoutMillis: PAGE_PATIENCE_MS,
    idleTimeoutMillis: PAGE_IDLE_MS,
  });
  const lanes = Math.min(DOOR_LANES, max);
  const doors = Array.from({ length: lanes }, () =>
    openPool(isPooled ? null : DOOR_SETTINGS, DOOR_SILENCE_MS, {
      max: Math.floor(max / lanes),
      connectionString: DATABASE_URL,
      connectionTimeoutMillis: DOOR_PATIENCE_MS,
      // Never close an idle connection: a new one has to plan its statements again, which takes tens of milliseconds.
      // PostgreSQL itself plans again when a table was analysed, and each connection is replaced after a while anyway.
      idleTimeoutMillis: 0,
      maxLifetimeSeconds: STATEMENT_LIFETIME_SECONDS,
    }),
  );
  const jobs = openPool(null, null, {
    max,
    connectionString: DATABASE_SESSION_URL,
    connectionTimeoutMillis: JOB_PATIENCE_MS,
    onConnect: async (client) => {
      await client.query(JOB_SETTINGS);
      await learnBackend(client);
    },
  });
  breakWhenSilent(jobs, JOB_SILENCE_MS, (client) => isBackendGone(DATABASE_SESSION_URL, client));
  return {
    pages,
    doors,
    jobs,
    // Made when first needed: it takes long to load, and starting does not need it.
    client: undefined as PrismaClient | undefined,
    isPooled,
  };
}

function openPool(settings: string | null, silenceMs: number | null, config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    Client: UtcClient,
    ...KEEP_ALIVE,
    ...(settings !== null && { onConnect: (client) => client.query(settings) }),
  });
  // The pool replaces a broken connection; without a listener the error would end the process. The error references the
  // whole client; log only its message.
  const onLost = ({ message }: Error) => log.warn({ reason: message }, 'database connection lost');
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  if (silenceMs !== null) breakWhenSilent(pool, silenceMs);
  return pool;
}

const database = processState('database', (): { open?: ReturnType<typeof connect> } => ({}));
const background = processState('background', () => new AsyncLocalStorage<true>());

function connection() {
  database.open ??= connect();
  return database.open;
}

/** Runs `work` on connections that pages never use. */
export function inBackground<T>(work: () => Promise<T>): Promise<T> {
  // Prisma sends a statement only when it is awaited.
  return background.run(true, async () => await work());
}

function client(): PrismaClient {
  const open = connection();
  const { pages, jobs } = open;
  open.client ??= new PrismaClient({
    adapter: new PoolRoutingAdapter([pages, jobs], () => (background.getStore() ? jobs : pages)),
  });
  return open.client;
}

/** The Prisma client of this process; `transaction` begins a transaction. */
export function db(): Transaction {
  return client();
}

/**
 * Runs several statements in one transaction. Calling an outside service meanwhile throws, because the transaction
 * holds a connection and locks.
 */
export function transaction<T>(
  work: (tx: Transaction) => Promise<T>,
  timeout = TRANSACTION_TIMEOUT_MS,
): Promise<T> {
  const maxWait = background.getStore() ? JOB_PATIENCE_MS : PAGE_PATIENCE_MS;
  return whileTransactionOpen(() => client().$transaction(work, { timeout, maxWait }));
}

/** Like `transaction`, for a deletion that may take millions of rows with it: some 400,000 a second. */
export function deletion<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return transaction(async (tx) => {
    await tx.$executeRaw`select set_config('statement_timeout', ${`${DELETION_TIMEOUT_MS}ms`}, true)`;
    return work(tx);
  }, DELETION_TIMEOUT_MS);
}

/** The connections of the job queue, of upkeep and of `inBackground`. */
export function databasePool(): pg.Pool {
  return connection().jobs;
}

/** The connections under the Prisma client of the pages. */
export function pagePool(): pg.Pool {
  return connection().pages;
}

/** The connections of `runStatement`. */
export function statementPools(): pg.Pool[] {
  return connection().doors;
}

/**
 * Runs one statement directly on a connection, prepared and planned once per connection. Meant for the doors and the
 * pipeline, because a statement costs a process several times as much through the Prisma client. Each call site must
 * always pass the same text; pass what varies as values. A good plan must not depend on the values (`planner-hints`
 * helps with that).
 */
export function runStatement<T extends object>({ text, values }: Prisma.Sql): Promise<T[]> {
  const statement = statementOf(text);
  return runPrepared(laneOf(statement), statement, values);
}

// A statement whose pool is full uses another one, because planning it there may take less time than waiting.
function laneOf({ number }: Statement): pg.Pool {
  const { doors } = connection();
  // There is a pool for every remainder.
  const own = doors[number % doors.length] as pg.Pool;
  return hasRoom(own) ? own : (doors.find(hasRoom) ?? own);
}

const hasRoom = ({ idleCount, totalCount, options }: pg.Pool) => idleCount > 0 || totalCount < options.max;

/** Like `runStatement`, on the connections of pages: for statements that pages run often and that take long to plan. */
export function runPageStatement<T extends object>({ text, values }: Prisma.Sql): Promise<T[]> {
  return runPrepared(connection().pages, statementOf(text), values);
}

async function runPrepared<T extends object>(
  pool: pg.Pool,
  { number, text }: Statement,
  values: unknown[],
): Promise<T[]> {
  const { rows } = await pool.query<T>(
    connection().isPooled ? { text, values } : { name: `s${number}`, text, values },
  );
  return rows;
}

/** Closes every connection of this process. */
export async function closeDatabase(): Promise<void> {
  const { open } = database;
  if (!open) return;
  delete database.open;
  await open.client?.$disconnect();
  await Promise.all([open.pages, ...open.doors, open.jobs].map((pool) => pool.end()));
}

/** Whether a unique constraint rejected the write. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}

/** Whether an error of `runStatement` says that a lock was not to be had in time. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
}

export type Transaction = Omit<Prisma.TransactionClient, '$transaction'>;
export { Prisma };
