import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { fillDatabase } from '@/lib/testing/large-database';
import { migrateTo } from '@/lib/testing/migrations';
import { migrate } from '../../prisma/migrate';
import type { Lifetime } from '../../scripts/lifetime';
import { startDurablePostgres } from '../durable-postgres';

// More than a million events and as many decisions, and almost a million pages and messages.
const TIMES = 9;
const LARGE = 5000;
const PROBE_EVERY_MS = 50;
const BEFORE_MS = 5000;

/** How long writes to a table had to wait. */
export interface Wait {
  table: string;
  rows: number;
  /** The longest wait before the migrations. */
  'before, ms': number;
  'migrating, ms': number;
}

/**
 * Applies the migrations after `from` to a filled database, while one row of every large table is written every 50 ms.
 * Returns the longest wait for each table, and the migrations that were applied.
 */
export async function measureMigrating(
  lifetime: Lifetime,
  from: string[],
): Promise<{ waits: Wait[]; applied: string[] }> {
  const postgres = await startDurablePostgres(lifetime);
  await migrateTo(postgres.url, (name) => from.includes(name));
  const pool = new pg.Pool({ connectionString: postgres.url, max: 60 });
  pool.on('error', () => {});
  await fillDatabase(pool, TIMES);
  await pool.query('checkpoint');
  const { rows: tables } = await pool.query<Table>(TABLES, [LARGE]);
  const before = tables.map((table) => new Probe(pool, table));
  await wait(BEFORE_MS);
  const idle = await Promise.all(before.map((probe) => probe.stop()));
  const probes = tables.map((table) => new Probe(pool, table));
  const applied = await migrate(postgres.url);
  const waited = await Promise.all(probes.map((probe) => probe.stop()));
  await pool.end();
  await postgres.remove();
  const waits = new Map<string, Wait>();
  for (const [index, { root, rows }] of tables.entries()) {
    const known = waits.get(root);
    waits.set(root, {
      table: root,
      rows: (known?.rows ?? 0) + rows,
      'before, ms': Math.max(known?.['before, ms'] ?? 0, idle[index] ?? 0),
      'migrating, ms': Math.max(known?.['migrating, ms'] ?? 0, waited[index] ?? 0),
    });
  }
  return { waits: [...waits.values()], applied };
}

interface Table {
  name: string;
  /** The partitioned table that it belongs to, or itself. */
  root: string;
  column: string;
  rows: number;
}

const TABLES = `
  select c.oid::regclass::text as name, coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as root,
    quote_ident(a.attname) as column, c.reltuples::int as rows
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum = 1
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.reltuples >= $1
  order by c.reltuples desc`;

/** Keeps writing one row of a table. */
class Probe {
  private isOver = false;
  private longestMs = 0;
  private readonly going: Promise<void>;

  constructor(
    private readonly pool: pg.Pool,
    private readonly table: Table,
  ) {
    this.going = this.keepWriting();
  }

  /** Returns the longest wait in milliseconds. */
  async stop(): Promise<number> {
    this.isOver = true;
    await this.going;
    return Math.round(this.longestMs);
  }

  private async keepWriting(): Promise<void> {
    const { name, column } = this.table;
    const client = await this.pool.connect();
    // All share the disk; what counts here are the locks.
    await client.query('set synchronous_commit = off');
    const write = `update ${name} set ${column} = ${column} where ctid = (select ctid from ${name} limit 1)`;
    while (!this.isOver) {
      const start = performance.now();
      await client.query(write);
      this.longestMs = Math.max(this.longestMs, performance.now() - start);
      await wait(PROBE_EVERY_MS);
    }
    client.release(true);
  }
}
