import { databasePool } from '@/lib/db/database';
import { inChunks, listPartitions } from '@/lib/db/partitions';
import { lookedUp } from '@/lib/db/planner-hints';

const CHUNK = 5000;

/**
 * Deletes the snapshots of databases that no rule uses, unless a rule of the workspace watches more than databases. The
 * cost depends on the number of databases, not of pages.
 */
export async function forgetUnwatchedPages(): Promise<void> {
  for (const part of await listPartitions('page_snapshot')) {
    const { rows: unwatched } = await databasePool().query<{ workspace: string; database: string }>(
      unwatchedDatabases(part),
    );
    for (const { workspace, database } of unwatched) {
      await inChunks(
        CHUNK,
        `delete from ${part} where ctid = any(array(
           select ctid from ${part} where workspace_id = $1 and database_id = $2
             and not exists (
               select 1 from rule where workspace_id = $1 and (database_id = $2 or database_id is null))
           limit ${CHUNK} for update skip locked))`,
        [workspace, database],
      );
    }
  }
}

// Skips along the index from one database to the next instead of reading every page's entry.
const unwatchedDatabases = (part: string) => `
  with recursive kept as (
    (select database_id, workspace_id from ${part} order by 1, 2 limit 1)
    union all
    select n.database_id, n.workspace_id from kept k cross join lateral (
      select database_id, workspace_id from ${part} s
      where (s.database_id, s.workspace_id) > (k.database_id, k.workspace_id) order by 1, 2 limit 1
    ) n
  )
  select workspace_id as workspace, database_id as database from kept k
  where not exists (
    select 1 from rule r where r.workspace_id = k.workspace_id and r.database_id = k.database_id)
    and not exists (
    select 1 from rule r where r.workspace_id = ${lookedUp('k.workspace_id').sql} and r.database_id is null)`;
