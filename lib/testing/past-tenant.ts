interface Tenant {
  account: string;
  workspace: string;
  server: string;
  rules: string[];
  /** The channel of its rules. */
  channelId: string;
}

/** Adds an account with both connections and rules, using only columns that every version of the schema has. */
export async function addPastTenant(
  query: (text: string, values: unknown[]) => Promise<unknown>,
  { account, workspace, server, rules, channelId }: Tenant,
): Promise<void> {
  await query(`insert into account (id, subject, trial_ends_at) values ($1, 'somebody', now())`, [account]);
  await query(
    `insert into notion_workspace (id, account_id, notion_workspace_id, bot_id, name, sealed_tokens)
     values ($1, $2, gen_random_uuid(), 'bot', 'W', '\\x00')`,
    [workspace, account],
  );
  await query(
    `insert into discord_server (id, account_id, guild_id, name, installer_discord_user_id)
     values ($1, $2, '1', 'S', '1')`,
    [server, account],
  );
  await query(
    `insert into notion_database (workspace_id, id, name, properties) values ($1, 'd', 'D', '[]')`,
    [workspace],
  );
  for (const id of rules) {
    await query(
      `insert into rule (id, account_id, server_id, workspace_id, database_id, event_type, channel_id, channel_name)
       values ($1, $2, $3, $4, 'd', 'page_created', $5, 'c')`,
      [id, account, server, workspace, channelId],
    );
  }
}
