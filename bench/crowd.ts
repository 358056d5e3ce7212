import type pg from 'pg';

/** Fills the database with other people's accounts, each with a server, a workspace and ten rules. */
export async function addCrowd(database: pg.Pool, accounts: number): Promise<void> {
  await database.query(
    `with crowd as (
       insert into account (id, subject, trial_ends_at)
       select gen_random_uuid(), 'crowd|' || n, now() + interval '14 days' from generate_series(1, $1) as n
       returning id
     ), server as (
       insert into discord_server (id, account_id, guild_id, name, installer_discord_user_id)
       select gen_random_uuid(), id, 'guild-' || id, 'Somewhere', '0' from crowd returning id, account_id
     ), workspace as (
       insert into notion_workspace (id, account_id, notion_workspace_id, bot_id, name, sealed_tokens)
       select gen_random_uuid(), id, gen_random_uuid(), gen_random_uuid(), 'Somewhere', '\\x00' from crowd
       returning id, account_id
     ), database as (
       insert into notion_database (workspace_id, id, name, properties)
       select id, gen_random_uuid(), 'Something', '[]' from workspace returning workspace_id, id
     )
     insert into rule (id, account_id, server_id, workspace_id, database_id, event_type, channel_id, channel_name)
     select gen_random_uuid(), server.account_id, server.id, workspace.id, database.id, 'page_created', '0', 'x'
     from server join workspace using (account_id) join database on database.workspace_id = workspace.id
     cross join generate_series(1, 10)`,
    [accounts],
  );
  await database.query('analyze');
}

/** Waits until no job is left of what was measured before. */
export async function workOff(database: pg.Pool): Promise<void> {
  for (;;) {
    const { rows } = await database.query(
      'select count(*)::int as jobs from graphile_worker.jobs where run_at <= now()',
    );
    if (rows[0].jobs === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Rows that the database has read for all of its queries so far. */
export async function rowsRead(database: pg.Pool): Promise<number> {
  // The statistics of other connections arrive within a second of their last statement.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const { rows } = await database.query(
    `select (sum(seq_tup_read) + sum(coalesce(idx_tup_fetch, 0)))::int as read from pg_stat_user_tables
     where relname in ('account', 'rule', 'notion_workspace', 'notion_database', 'delivery', 'account_link',
       'notion_user', 'page_snapshot', 'notion_event', 'usage_period')`,
  );
  return rows[0].read;
}
