import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { withOwnDatabase } from '@/lib/testing/own-database';

interface Tenant {
  account: string;
  server: string;
  workspace: string;
}

const pool = withOwnDatabase();
let ours: Tenant;
let theirs: Tenant;

beforeAll(async () => {
  ours = await addTenant('ours');
  theirs = await addTenant('theirs');
});

async function addTenant(name: string): Promise<Tenant> {
  const [account, server, workspace] = [randomUUID(), randomUUID(), randomUUID()];
  await pool().query('insert into account (id, subject, trial_ends_at) values ($1, $2, now())', [
    account,
    name,
  ]);
  await pool().query(
    `insert into discord_server (id, account_id, guild_id, name, installer_discord_user_id)
     values ($1, $2, $3, 'S', '1')`,
    [server, account, name],
  );
  await pool().query(
    `insert into notion_workspace (id, account_id, notion_workspace_id, bot_id, name, sealed_tokens)
     values ($1, $2, $3, 'b', 'W', '\\x00')`,
    [workspace, account, name],
  );
  await pool().query(
    `insert into notion_database (workspace_id, id, name, properties) values ($1, 'd', 'D', '[]')`,
    [workspace],
  );
  return { account, server, workspace };
}

const addRule = ({ account, server, workspace }: Tenant) =>
  pool().query(
    `insert into rule (id, account_id, server_id, workspace_id, database_id, event_type, channel_id, channel_name)
     values (gen_random_uuid(), $1, $2, $3, 'd', 'page_created', '1', 'c')`,
    [account, server, workspace],
  );
const countRules = async () =>
  (await pool().query('select count(*)::int as count from rule where account_id = $1', [ours.account]))
    .rows[0].count;

test('the database refuses a rule of one account on a server of another', async () => {
  await expect(addRule({ ...ours, server: theirs.server })).rejects.toThrow('rule_account_id_server_id_fkey');
});

test('the database refuses a rule of one account on a workspace of another', async () => {
  await expect(addRule({ ...ours, workspace: theirs.workspace })).rejects.toThrow(
    'rule_account_id_workspace_id_fkey',
  );
});

test('a rule of one account goes with its server', async () => {
  await addRule(ours);
  expect(await countRules()).toBe(1);
  await pool().query('delete from discord_server where id = $1', [ours.server]);
  expect(await countRules()).toBe(0);
});
