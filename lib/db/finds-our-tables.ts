import { askOnce } from './ask-once';

// Before the first migration there are no tables to look for, so the schema that comes first has to be ours.
const FINDS = `select case when to_regclass('public._prisma_migrations') is null then current_schema() = 'public'
  else (select bool_and(pg_table_is_visible(oid)) from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')) end as finds`;

/**
 * Whether statements that name no schema reach the tables in public, where Pagewire's are. The search_path of the role,
 * of the database or in the address may lead to others. Throws pg's error when nobody answers.
 */
export async function findsOurTables(address: string): Promise<boolean> {
  return (await askOnce<{ finds: boolean | null }>(address, FINDS))?.finds ?? false;
}
