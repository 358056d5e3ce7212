import { databasePool } from '@/lib/db/database';

/** Forgets from which messages pages were made that were long neither completed nor reopened. The page "Privacy" states the same. */
export async function forgetOldEchoes(): Promise<void> {
  await databasePool().query(`delete from task_echo where last_event_at < now() - interval '13 months'`);
}
