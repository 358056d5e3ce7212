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

const addRule = ({ account, server, workspace }: Tenant, id = randomUUID()) =>
  pool().query(
    `insert into rule (id, account_id, server_id, workspace_id, database_id, event_type, channel_id, channel_name)
     values ($1, $2, $3, $4, 'd', 'page_created', '1', 'c')`,
    [id, account, server, workspace],
  );
const addLink = async ({ account }: Tenant) => {
  const id = randomUUID();
  await pool().query(
    `insert into account_link (id, account_id, discord_user_id, notion_user_id, notion_display_name)
     values ($1::uuid, $2, $1::text, $1::text, 'N')`,
    [id, account],
  );
  return id;
};
const addLetter = (rule: string, link: string) =>
  pool().query(
    `insert into letter (decision_id, discord_user_id, event_at, account_id, rule_id, page_id, link_id, outcome)
     values (gen_random_uuid(), '1', now(), $1, $2, 'p', $3, 'message')`,
    [ours.account, rule, link],
  );
const addClock = (rule: string, workspace: string, database: string) =>
  pool().query(
    `insert into rule_clock (rule_id, account_id, workspace_id, database_id, due_at, nominal_at)
     values ($1, $2, $3, $4, now(), now())`,
    [rule, ours.account, workspace, database],
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

test('the database refuses a letter of one account to a link of another; a deleted link takes itself out only', async () => {
  const rule = randomUUID();
  await addRule(ours, rule);
  await expect(addLetter(rule, await addLink(theirs))).rejects.toThrow('letter_account_id_link_id_fkey');
  const link = await addLink(ours);
  await addLetter(rule, link);
  await pool().query('delete from account_link where id = $1', [link]);
  const { rows } = await pool().query('select account_id, link_id from letter');
  expect(rows).toEqual([{ account_id: ours.account, link_id: null }]);
  await pool().query('delete from rule');
});

test('the database refuses a clock on a workspace of another account, and on a database that is not there', async () => {
  const rule = randomUUID();
  await addRule(ours, rule);
  await expect(addClock(rule, theirs.workspace, 'd')).rejects.toThrow(
    'rule_clock_account_id_workspace_id_fkey',
  );
  await expect(addClock(rule, ours.workspace, 'gone')).rejects.toThrow(
    'rule_clock_workspace_id_database_id_fkey',
  );
  await addClock(rule, ours.workspace, 'd');
  await pool().query('delete from rule');
});

test('a rule of one account goes with its server', async () => {
  await addRule(ours);
  expect(await countRules()).toBe(1);
  await pool().query('delete from discord_server where id = $1', [ours.server]);
  expect(await countRules()).toBe(0);
});
