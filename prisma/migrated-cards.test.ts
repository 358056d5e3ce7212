import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nonceOf, sealMessage } from '@/lib/features/messages/sealed-body';
import { sendMessage } from '@/lib/integrations/discord/discord-messages';
import { createEmptyDatabase, type TestDatabase } from '@/lib/testing/database';
import { migrateTo } from '@/lib/testing/migrations';
import { addPastTenant } from '@/lib/testing/past-tenant';
import { eventually, TestProduct } from '@/lib/testing/product';
import { migrate } from './migrate';

const THREE_TABLES = '20261122100000_decision_message_card';
// View Channel, Send Messages, Embed Links, Read Message History.
const PERMISSIONS = '84992';
const account = randomUUID();
const workspace = randomUUID();
const server = randomUUID();
const rule = randomUUID();
const other = randomUUID();

let database: TestDatabase;
let client: Client;
let product: TestProduct;
let channelId: string;

interface Before {
  state: string;
  days?: number;
  isEarly?: boolean;
  isOrphan?: boolean;
  gatheredInto?: string;
  /** How many minutes ago Discord may have been asked to post it. */
  triedMinutesAgo?: number;
  /** Whether Discord has posted it, and still knows its nonce. */
  posted?: 'with its nonce' | 'long ago';
}

const BEFORE: Record<string, Before> = {
  sent: { state: 'sent', posted: 'with its nonce' },
  'sent long ago': { state: 'sent', days: 200, posted: 'long ago' },
  'early and sent': { state: 'sent', isEarly: true, posted: 'with its nonce' },
  'posted just now': { state: 'waiting', triedMinutesAgo: 0, posted: 'with its nonce' },
  'posted long ago': { state: 'waiting', triedMinutesAgo: 60, posted: 'long ago' },
  'posted for a rule that is gone': {
    state: 'waiting',
    isOrphan: true,
    triedMinutesAgo: 60,
    posted: 'long ago',
  },
  'of a rule that is gone': { state: 'waiting', isOrphan: true, triedMinutesAgo: 60 },
  waiting: { state: 'waiting' },
  'waiting long': { state: 'waiting', days: 40 },
  'early and waiting': { state: 'waiting', isEarly: true },
  'asked for and not posted': { state: 'waiting', triedMinutesAgo: 60 },
  'tells of several pages': { state: 'waiting' },
  'told by that': { state: 'skipped', gatheredInto: 'tells of several pages' },
  held: { state: 'held' },
  failed: { state: 'failed' },
};

const ids = new Map(Object.keys(BEFORE).map((name) => [name, randomUUID()]));
const idOf = (name: string) => ids.get(name) ?? '';
const nameOf = (id: string) => [...ids].find(([, each]) => each === id)?.[0] ?? '';
const byContent = (a: { content: string }, b: { content: string }) => a.content.localeCompare(b.content);
const namesOf = (isMeant: (row: Before) => unknown) =>
  Object.entries(BEFORE).flatMap(([name, row]) => (isMeant(row) ? [name] : []));
const query = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;

beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await migrateTo(database.url, (name) => name < THREE_TABLES);
  product = await TestProduct.start(database);
  await fill();
  await migrate(database.url);
});
afterAll(async () => {
  await client.end();
  await product.stop();
});

async function fill(): Promise<void> {
  const guilds = await product.control('discord', 'GET', '/guilds');
  const guild = guilds.find(({ name }: { name: string }) => name === 'Lantern Works');
  channelId = guild.channels.find(({ name }: { name: string }) => name === 'tasks').id;
  await product.control('discord', 'PUT', `/guilds/${guild.id}/bot`, {
    permissions: PERMISSIONS,
    scopes: ['bot'],
  });
  await addPastTenant(query, { account, workspace, server, rules: [rule, other], channelId });
  await query('update discord_server set guild_id = $1', [guild.id]);
  await query(`update account set trial_ends_at = now() + interval '7 days'`);
  await query(
    `insert into usage_period (account_id, starts_at, ends_at, reserved, sent)
     select $1, date_trunc('month', now()), date_trunc('month', now()) + interval '1 month', 7, 3`,
    [account],
  );
  for (const [name, row] of Object.entries(BEFORE)) await add(name, row);
  await query('insert into channel_turn (channel_id, account_id) values ($1, $2)', [channelId, account]);
}

/** Adds a card as the version before has it, and what Discord has of it. */
async function add(name: string, row: Before): Promise<void> {
  const id = idOf(name);
  const nonce = row.posted === 'long ago' ? nonceOf(randomUUID()) : nonceOf(id);
  const posted = row.posted && (await sendMessage(channelId, { content: name, nonce }, { isCard: true }));
  const isSent = row.state === 'sent';
  await query(
    `insert into delivery (id, event_at, account_id, rule_id, event_id, page_id, channel_id, state, reason, sealed_message,
       is_early, message_id, gathered_into, tried_at, usage_period_start, finished_at)
     values ($1, now() - $2 * interval '1 day', $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12,
       now() - $13 * interval '1 minute', case when $14::boolean then date_trunc('month', now()) end, now())`,
    [
      id,
      row.days ?? 1,
      account,
      row.isOrphan ? null : row.gatheredInto ? other : rule,
      name,
      channelId,
      row.state,
      row.gatheredInto ? 'gathered' : null,
      isSent ? null : sealMessage(id, { content: name }),
      row.isEarly ?? false,
      isSent && posted ? posted.messageId : null,
      row.gatheredInto ? idOf(row.gatheredInto) : null,
      row.triedMinutesAgo ?? null,
      isSent || row.triedMinutesAgo !== undefined,
    ],
  );
}

/** What the bot has posted, oldest first. */
async function postedCards(): Promise<{ id: string; content: string }[]> {
  const messages = await product.messages(channelId);
  return messages.map(({ id, content }) => ({ id, content }));
}

test('a worker posts each card that waits once and in its order, and none that Discord has already', async () => {
  const before = await postedCards();
  expect(before.map(({ content }) => content)).toEqual(namesOf(({ posted }) => posted));

  await product.work();
  await eventually(async () => {
    const [{ left }] = await query(`select count(*)::int as left from message where state = 'waiting'`);
    return left === 0;
  });
  await product.rest();

  const after = await postedCards();
  expect(after.slice(0, before.length)).toEqual(before);
  const posted = after.slice(before.length).map(({ content }) => content);
  expect(posted).toEqual(namesOf((row) => row.state === 'waiting' && !row.posted && !row.isOrphan));
  const rows = await query('select id, state::text, discord_message_id as discord from message');
  const kept = rows.map(({ id, state, discord }) => ({ content: nameOf(id), state, id: discord }));
  // What was on its way for a rule that is gone has no row any more.
  const isDropped = ({ content }: { content: string }) => BEFORE[content]?.isOrphan;
  expect(kept.sort(byContent)).toEqual(
    [
      ...after.filter((each) => !isDropped(each)).map((each) => ({ ...each, state: 'sent' })),
      ...['held', 'failed'].map((state) => ({ content: state, state, id: null })),
    ].sort(byContent),
  );
});
