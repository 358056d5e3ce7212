import type { Pool } from 'pg';

const ACCOUNTS = 5000;
const RULES_PER_ACCOUNT = 10;
const EVENTS = 120_000;
const DELIVERIES = 120_000;
const OWN_DELIVERIES = 12_000;
const PAGES = 80_000;
const TURNS = 20_000;

/**
 * Puts a test's account among very many others and gives it a long history, so that a query that uses no index reads
 * far too much. `times` multiplies the rows from the others' events.
 */
export async function fillDatabase(pool: Pool, times = 1): Promise<void> {
  const client = await pool.connect();
  try {
    // The rows are consistent; checking their foreign keys would take most of the time.
    await client.query('set session_replication_role = replica');
    for (const [statement, ...values] of statementsFor(times)) await client.query(statement, values);
    await client.query('analyze');
  } finally {
    client.release(true);
  }
}

const statementsFor = (times: number): [string, ...number[]][] => [
  [
    `insert into account (id, subject, discord_user_id, trial_ends_at)
     select gen_random_uuid(), 'crowd|' || n, (300000000000000000 + n)::text, now() + interval '14 days'
     from generate_series(1, $1) n`,
    ACCOUNTS,
  ],
  [
    `insert into discord_server (id, account_id, guild_id, name, installer_discord_user_id)
     select gen_random_uuid(), id, 'guild-' || id, 'Somewhere', '0' from account where subject like 'crowd|%'`,
  ],
  [
    `insert into notion_workspace (id, account_id, notion_workspace_id, bot_id, name, sealed_tokens)
     select gen_random_uuid(), id, gen_random_uuid(), gen_random_uuid(), 'Somewhere', '\\x00'
     from account where subject like 'crowd|%'`,
  ],
  [
    `insert into notion_database (workspace_id, id, name, properties)
     select w.id, gen_random_uuid(), 'Something', '[]'
     from notion_workspace w join account a on a.id = w.account_id and a.subject like 'crowd|%'`,
  ],
  [
    `insert into notion_user (workspace_id, id, name)
     select w.id, gen_random_uuid(), 'Somebody'
     from notion_workspace w join account a on a.id = w.account_id and a.subject like 'crowd|%',
       generate_series(1, 5)`,
  ],
  [
    `insert into account_link (id, account_id, discord_user_id, notion_user_id, notion_display_name)
     select gen_random_uuid(), w.account_id, u.id, u.id, u.name
     from notion_user u join notion_workspace w on w.id = u.workspace_id
       join account a on a.id = w.account_id and a.subject like 'crowd|%'`,
  ],
  [
    `insert into rule (id, account_id, server_id, workspace_id, database_id, event_type, channel_id, channel_name,
       watched_properties, status_to, displayed_fields)
     select gen_random_uuid(), w.account_id, s.id, w.id, d.id, 'page_updated',
       'channel-' || substr(w.id::text, 1, 8) || '-' || n, 'cards', array['title'], '{}', '{}'
     from notion_workspace w join discord_server s using (account_id) join notion_database d on d.workspace_id = w.id
       join account a on a.id = w.account_id and a.subject like 'crowd|%', generate_series(1, $1) n`,
    RULES_PER_ACCOUNT,
  ],
  [
    `insert into notion_page (workspace_id, id, title)
     select w.id, gen_random_uuid(), 'Somewhere'
     from notion_workspace w join account a on a.id = w.account_id and a.subject like 'crowd|%'`,
  ],
  [
    `insert into notion_parent (workspace_id, id, parent_kind, parent_id)
     select p.workspace_id, gen_random_uuid(), 'page', p.id from notion_page p, generate_series(1, 5)
     where p.title = 'Somewhere'`,
  ],
  [
    `insert into rule (id, account_id, server_id, workspace_id, source_kind, page_id, subpages, event_type, channel_id,
       channel_name)
     select gen_random_uuid(), w.account_id, s.id, w.id, 'page', p.id, 'all', 'page_created', 'channel-of-pages', 'cards'
     from notion_workspace w join discord_server s using (account_id) join notion_page p on p.workspace_id = w.id
       and p.title = 'Somewhere'`,
  ],
  [
    `insert into notion_event (workspace_id, id, type, page_id, database_id, authors, updated_properties, occurred_at,
       received_at, processed_at, outcome)
     select w.workspace_id, gen_random_uuid(), 'page.properties_updated', 'page-' || n % 100000, w.id, array['x'],
       array['title'], at, at, now(), 'posted'
     from (select n, now() - random() * interval '27 days' as at from generate_series(1, $1) n) as drawn
       join (select workspace_id, id, row_number() over () as number from notion_database) w
         on w.number = 1 + n % (select count(*) from notion_database)`,
    EVENTS * times,
  ],
  // Includes decisions of half a year ago, which get in the way as much as recent ones.
  [
    `create temporary table drawn as
     select gen_random_uuid() as id, at, r.account_id, r.id as rule_id, 'page-' || n % 100000 as page_id, r.channel_id,
       case when n % 20 = 0 then 'failed' when n % 200 = 1 then 'waiting' when n % 200 = 2 then 'settling'
         when n % 3 = 0 then 'unchanged' else 'sent' end as state, (400000000000000000 + n)::text as discord_id
     from (select n, now() - random() * interval '170 days' as at from generate_series(1, $1) n) as drawn
       join (select *, row_number() over () as number from rule) r
         on r.number = 1 + n % (select count(*) from rule)`,
    DELIVERIES * times,
  ],
  [
    `insert into drawn
     select gen_random_uuid(), at, r.account_id, r.id, 'own-' || n % 1000, r.channel_id,
       case when n % 2 = 0 then 'unchanged' else 'sent' end, (500000000000000000 + n)::text
     from (select n, now() - random() * interval '130 days' as at from generate_series(1, $1) n) as drawn,
       (select r.* from rule r join account a on a.id = r.account_id and a.subject not like 'crowd|%'
         order by r.created_at limit 1) r`,
    OWN_DELIVERIES,
  ],
  [
    `insert into decision (id, event_at, account_id, rule_id, event_id, page_id, outcome, created_at, message_id,
       sealed_summary)
     select id, at, account_id, rule_id, id, page_id,
       case when state in ('settling', 'unchanged') then state else 'message' end::decision_outcome, at,
       case when state not in ('settling', 'unchanged') then id end,
       case when channel_id like 'channel-%' then '\\x00'::bytea end from drawn order by at`,
  ],
  [
    `insert into message (id, at, sequence, account_id, source_id, target_id, state, created_at, discord_message_id,
       usage_period_start, finished_at, sealed_body)
     select id, at, sequence, account_id, rule_id, channel_id, state::message_state, at, discord_id,
       date_trunc('month', at), at, case when state = 'failed' then '\\x00'::bytea end
     from drawn join (select id, sequence from decision) as decided using (id)
     where state not in ('settling', 'unchanged')`,
  ],
  [
    `insert into card (message_id, at, account_id, rule_id, page_id)
     select id, at, account_id, rule_id, page_id from drawn where state not in ('settling', 'unchanged')`,
  ],
  [
    `insert into page_snapshot (workspace_id, page_id, database_id, sealed_values)
     select w.workspace_id, 'page-' || n, w.id, '\\x00'
     from generate_series(1, $1) n
       join (select workspace_id, id, row_number() over () as number from notion_database) w
         on w.number = 1 + n % (select count(*) from notion_database)`,
    PAGES * times,
  ],
  [
    `insert into usage_period (account_id, starts_at, ends_at, sent, reserved)
     select id, now() - n * interval '1 month', now() - (n - 1) * interval '1 month', 5, 5
     from account, generate_series(1, 3) n where subject like 'crowd|%'`,
  ],
  // Turns that wait for a page to settle or for a limit to end, and turns that others are working.
  [
    `insert into page_turn (workspace_id, page_id, due_at, leased_until, leased_by)
     select w.id, 'page-' || n, case when n % 2 = 0 then now() else now() + interval '1 hour' end,
       case when n % 2 = 0 then now() + interval '1 hour' else '-infinity'::timestamptz end,
       case when n % 2 = 0 then 0 end
     from generate_series(1, $1) n join (select id, row_number() over () as number from notion_workspace) w
       on w.number = 1 + n % (select count(*) from notion_workspace)`,
    TURNS,
  ],
  [
    `insert into channel_turn (channel_id, account_id, due_at)
     select distinct on (channel_id) channel_id, account_id, now() + interval '1 hour'
     from rule where channel_id like 'channel-%' limit $1`,
    TURNS,
  ],
  [
    `insert into rate_limit (key, blocked_until)
     select 'discord:' || channel_id, now() from channel_turn limit $1`,
    TURNS,
  ],
];
