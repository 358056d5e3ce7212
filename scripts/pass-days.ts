import { Client } from 'pg';
import { tellEndedTrialsJob } from '@/lib/features/billing/billing-news';
import { enqueueText } from '@/lib/queue/enqueue';
import { DAY_MS } from '@/lib/time';
import { PlainError } from './plain-error';

// Far enough that a shifted period cannot collide with one that is not shifted yet.
const ASIDE_DAYS = 1_000_000;

/**
 * The application only knows the real clock, so its stored past moves back instead: sign-up and trial, the periods and
 * messages so far, the latest notices in channels, and requests for servers. Trials that end are announced. The
 * stand-ins have a clock of their own, which moves forward with its renewals and charges.
 */
const MOVES = [
  'UPDATE account SET created_at = created_at - $1::interval, trial_ends_at = trial_ends_at - $1::interval WHERE paid_period_start IS NULL',
  `UPDATE usage_period SET starts_at = starts_at - $1::interval - interval '${ASIDE_DAYS} days', ends_at = ends_at - $1::interval
     WHERE account_id IN (SELECT id FROM account WHERE paid_period_start IS NULL)`,
  `UPDATE usage_period SET starts_at = starts_at + interval '${ASIDE_DAYS} days'
     WHERE account_id IN (SELECT id FROM account WHERE paid_period_start IS NULL) AND $1::interval IS NOT NULL`,
  `UPDATE message SET usage_period_start = usage_period_start - $1::interval
     WHERE account_id IN (SELECT id FROM account WHERE paid_period_start IS NULL)`,
  'UPDATE message SET finished_at = finished_at - $1::interval, created_at = created_at - $1::interval WHERE finished_at IS NOT NULL',
  'UPDATE trial SET ends_at = ends_at - $1::interval',
  'UPDATE server_takeover SET since = since - $1::interval',
  `UPDATE rate_limit SET blocked_until = blocked_until - $1::interval WHERE key LIKE 'takeover:%'`,
  'UPDATE held_notice SET posted_at = posted_at - $1::interval, told_at = told_at - $1::interval',
  `SELECT graphile_worker.reschedule_jobs(ARRAY[id], run_at => run_at - $1::interval) FROM graphile_worker.jobs
     WHERE key LIKE 'held-notice:%'`,
];

/**
 * Lets days pass for the application, in its database, and for the stand-ins, by their clock. Refuses to do only one of
 * the two: a database without a sandbox is a real one.
 */
export async function passDays(
  days: number,
  { databaseUrl, sandboxPort }: { databaseUrl: string; sandboxPort: number },
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect().catch(() => {
    throw new PlainError('The demo is not running here. Start it with: npm run demo');
  });
  try {
    await client.query('BEGIN');
    for (const each of MOVES) await client.query(each, [`${days} days`]);
    await client.query(enqueueText(tellEndedTrialsJob));
    await moveSandbox(sandboxPort, days);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

async function moveSandbox(port: number, days: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/_sandbox/clock`, {
    method: 'POST',
    body: JSON.stringify({ advanceMs: days * DAY_MS }),
  }).catch(() => {
    throw new PlainError(`No sandbox answers on port ${port}. Start the demo with: npm run demo`);
  });
  if (!response.ok) throw new PlainError(`The sandbox refused to move its clock: ${await response.text()}`);
}
