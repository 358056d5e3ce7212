import { databasePool } from '@/lib/db/database';

/** Forgets echoes of tasks neither completed nor reopened for 13 months. The page "Privacy" states the same. */
export async function forgetOldEchoes(): Promise<void> {
  await databasePool().query(`delete from task_echo where last_event_at < now() - interval '13 months'`);
}
