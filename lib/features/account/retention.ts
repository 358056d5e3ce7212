import { databasePool } from '@/lib/db/database';
import { LAPSE_MS } from '../takeovers/find-takeovers';

/**
 * Deletes OAuth flows that nobody finished, claims of calls that have ended, sessions that no browser can still have,
 * takeover requests that lapsed, call counts of past minutes, counts of tests of past days, and old audit entries.
 */
export async function forgetOldRecords(): Promise<void> {
  const pool = databasePool();
  await pool.query('delete from oauth_state where expires_at < now()');
  await pool.query('delete from call_claim where ends_at < now()');
  // A browser keeps its session for 30 days after the last call, and each call renews the access token.
  await pool.query(`delete from auth_session where access_token_expires_at < now() - interval '31 days'`);
  await pool.query('delete from server_takeover where since < $1', [new Date(Date.now() - LAPSE_MS)]);
  await pool.query('delete from call_count where ends_at < now()');
  await pool.query(`delete from test_day where day < (now() at time zone 'utc')::date`);
  await pool.query(`delete from audit_entry where at < now() - interval '13 months'`);
}
