import { databasePool } from '@/lib/db/database';

/** Deletes floods whose decisions are no longer kept, and notes of how fast rules posted long ago. */
export async function forgetOldFloods(): Promise<void> {
  const pool = databasePool();
  await pool.query(`
    delete from flood where ctid = any(array(
      select ctid from flood where began_at < now() - interval '31 days' for update skip locked))`);
  // Without any time a note says nothing: its flood ended after the first cards had become old.
  await pool.query(`
    delete from posting_pace where ctid = any(array(
      select ctid from posting_pace
      where coalesce(greatest(last_at, recent[cardinality(recent)]), '-infinity') < now() - interval '1 day'
      for update skip locked))`);
}
