import { rmSync } from 'node:fs';
import { startSandbox } from '../../sandbox/main';
import type { Lifetime } from '../../scripts/lifetime';
import { freePort } from '../../scripts/port';
import { type BenchProduct, callers } from '../bench-product';
import { openDatabase, startDurablePostgres } from '../durable-postgres';
import { Fleet } from './fleet';

/** A fleet that is not started yet, and everything that it needs. */
export interface FleetSetup
  extends Pick<BenchProduct, 'sandbox' | 'database' | 'databaseUrl' | 'api' | 'control'> {
  fleet: Fleet;
  /** The environment of every process of the fleet. */
  env: Record<string, string>;
}

/** Starts PostgreSQL with durable writes and the strict stand-ins, until the lifetime ends. */
export async function setUpFleet(lifetime: Lifetime): Promise<FleetSetup> {
  rmSync('.pagewire/rolling.log', { force: true });
  const postgres = await startDurablePostgres(lifetime);
  const port = await freePort();
  const appUrl = `http://127.0.0.1:${port}`;
  const sandbox = await startSandbox({ ports: { identity: 0, discord: 0, notion: 0, stripe: 0 }, appUrl });
  lifetime.add(sandbox.stop);
  const database = openDatabase(lifetime, postgres.url);
  const fleet = await Fleet.make(lifetime, port);
  const env = { ...sandbox.env, DATABASE_URL: postgres.url };
  return { sandbox, database, databaseUrl: postgres.url, fleet, env, ...callers(appUrl, sandbox) };
}
