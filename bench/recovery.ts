import { findInstalled, hasPgBouncer } from '@/lib/testing/installed-postgres';
import type { Lifetime } from '../scripts/lifetime';
import { BenchProcess } from './bench-process';

/** What Discord had seen in the end, after a database was lost. */
export interface Recovery {
  what: string;
  /** Posted cards that the database had forgotten. */
  forgotten: number;
  changes: number;
  cards: number;
  toldTwice: number;
  notTold: number;
}

const POOLED = 'pooled';
const SCENARIOS = ['restored', 'moment', 'standby', 'late-standby', POOLED];
// Changes continue for this long before and after the loss of the database.
const PHASE_MS = 3000;

/**
 * Loses the database under load in several ways, and counts which changes Discord was told twice or not at all.
 * Scenarios that need a PostgreSQL or PgBouncer that this machine does not have are left out.
 */
export async function recoveryRows(lifetime: Lifetime): Promise<Recovery[]> {
  const rows: Recovery[] = [];
  if (!findInstalled())
    console.log('Left out: this machine has no PostgreSQL of its own (on Debian, postgresql).');
  const scenarios = findInstalled() ? SCENARIOS : [];
  for (const scenario of scenarios) {
    if (scenario === POOLED && !hasPgBouncer()) {
      console.log('Left out: this machine has no PgBouncer (on Debian, pgbouncer).');
      continue;
    }
    const env = { RECOVERY: scenario, RECOVERY_PHASE_MS: String(PHASE_MS), LOG_LEVEL: 'fatal' };
    const process_ = BenchProcess.start('bench/recovery-process.ts', lifetime, env);
    rows.push(await process_.next<Recovery & Record<string, unknown>>((said) => 'toldTwice' in said));
    await process_.stop();
  }
  return rows;
}
