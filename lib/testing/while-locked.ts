import { databasePool } from '@/lib/db/database';
import { eventually } from './product';

/** Waits until at least so many statements wait for locks. */
export const untilBlocked = (count: number) =>
  eventually(async () => {
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    return (await databasePool().query(waiting)).rows.length >= count;
  });

/** Holds a lock while `act` happens. Its argument waits until so many statements wait for locks. */
export async function whileLocked(
  lock: string,
  act: (blocked: (count: number) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const holder = await databasePool().connect();
  await holder.query(`begin; ${lock}`);
  try {
    await act(untilBlocked);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}
