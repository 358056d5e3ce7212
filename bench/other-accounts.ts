import type pg from 'pg';
import type { Conditions } from '@/lib/features/matching/schema';

/** Conditions of every rule; none by default. */
const ANY_PAGE: Conditions = { match: 'all', items: [] };

/**
 * Adds other people's accounts, each with a server, a workspace, a database and this many rules, in one statement.
 * Returns the accounts' ids.
 */
export async function addOtherAccounts(
  database: pg.Pool,
  accounts: number,
  rules: number,
  conditions = ANY_PAGE,
): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `with crowd as (
       insert into account (id, subject, trial_ends_at)
       select gen_random_uuid(), 'crowd|' || gen_random_uuid(), now() + interval '14 days'
       from generate_series(1, $1) returning id
     ), server as (
       insert into discord_server (id, account_id, guild_id, name, installer_discord_user_id)
       select gen_random_uuid(), id, 'guild-' || id, 'Somewhere', '0' from crowd returning id, account_id
     ), workspace as (
       insert into notion_workspace (id, account_id, notion_workspace_id, bot_id, name, sealed_tokens)
       select gen_random_uuid(), id, gen_random_uuid(), gen_random_uuid(), 'Somewhere', '\\x00' from crowd returning id, account_id
     ), database as (
       insert into notion_database (workspace_id, id, name, properties)
       select id, gen_random_uuid(), 'Something', '[]' from workspace returning workspace_id, id
     ), rules as (
       insert into rule (id, account_id, server_id, workspace_id, database_id, event_type, channel_id, channel_name,
         watched_properties, status_to, displayed_fields, conditions)
       select gen_random_uuid(), server.account_id, server.id, workspace.id, database.id, 'page_created', '0', 'x',
         '{}', '{}', '{}', $3::jsonb from server join workspace using (account_id)
       join database on database.workspace_id = workspace.id cross join generate_series(1, $2)
     ) select id from crowd`,
    [accounts, rules, conditions],
  );
  return rows.map(({ id }) => id);
}
