import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db, runStatement } from '@/lib/db/database';
import { lockPatience } from '@/lib/db/planner-hints';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { StripeSteps } from '@/lib/testing/stripe-steps';
import { whileLocked } from '@/lib/testing/while-locked';
import { recordCalls } from '../outbox/record-calls';
import { recordSql } from '../outbox/record-sql';
import { reserveNotification } from '../outbox/reserve-notification';
import { deleteAccount } from './commands';

const PATH = '/api/app/account';
let pipeline: Pipeline;
let till: StripeSteps;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  till = new StripeSteps(pipeline.story.product);
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.rest();
  pipeline.story.product.sandbox.context.faults.clear();
});

const product = () => pipeline.story.product;

async function callWith(token: string, method: string, path: string): Promise<number> {
  const response = await fetch(`${product().url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
  });
  return response.status;
}

/** Counts the rows of each of our tables, without the migrations. */
async function rowCounts(): Promise<Record<string, number>> {
  const tables = await db().$queryRaw<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> '_prisma_migrations'`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await db().$queryRawUnsafe<{ count: number }[]>(`select count(*)::int from "${name}"`);
    if (row?.count) counts[name] = row.count;
  }
  return counts;
}

test('deleting an account leaves no row and no sealed token, and ends everything at the third parties', async () => {
  await product().work();
  await till.buy();
  await eventually(async () => (await till.subscription()).status === 'active');
  await pipeline.rule();
  await pipeline.edit('Boss fight: ember golem', { Status: 'Done' });
  await eventually(async () => (await db().message.count({ where: { state: 'sent' } })) === 1);
  const { guild } = pipeline.story;
  const workspace = await db().notionWorkspace.findFirstOrThrow();
  const old = await product().bearer('mira', { iat: Math.floor(Date.now() / 1000) - 60 });

  pipeline.fault({ target: 'stripe', kind: 'fail', match: 'DELETE /v1', times: 2, status: 503 });
  expect((await product().call('mira', 'DELETE', PATH)).status).toBe(200);
  // The account is gone at once, whatever the outside services answer.
  expect(await db().account.count()).toBe(0);
  expect(await callWith(old, 'GET', '/api/app/me')).toBe(401);
  expect(await db().account.count()).toBe(0);

  await pipeline.idle();
  expect((await till.subscriptions()).map(({ status }) => status)).toEqual(['canceled']);
  const authorizations = await product().control('notion', 'GET', '/authorizations');
  expect(authorizations.filter(({ isActive }: { isActive: boolean }) => isActive)).toEqual([]);
  // When a minute begins, the crontab adds jobs.
  await expect.poll(() => db().$queryRaw`select id from graphile_worker._private_jobs`).toEqual([]);
  await product().rest();
  const { rate_limit: _, send_slot: __, ...rest } = await rowCounts();
  // One trial of the person, one of the server and one of the workspace.
  expect(rest).toEqual({ seen_clock: 1, hash_key: 1, proven_webhook_token: 1, trial: 3 });
  const kept = JSON.stringify(await db().trial.findMany());
  const { notionWorkspaceId } = workspace;
  for (const id of ['208917000000000101', guild.id, notionWorkspaceId]) expect(kept).not.toContain(id);
});

test('a later sign-in starts a new account with the rest of the old trial, and no second one', async () => {
  await db().trial.deleteMany();
  await product().call('jonas', 'GET', '/api/app/me');
  const trialEndsAt = new Date(Date.now() - 1000);
  const before = await db().account.findFirstOrThrow({ where: { discordUsername: null } });
  await db().account.update({ where: { id: before.id }, data: { trialEndsAt } });
  expect((await product().call('jonas', 'DELETE', PATH)).status).toBe(200);

  const token = await product().bearer('jonas');
  expect(await callWith(token, 'GET', '/api/app/me')).toBe(200);
  const account = await db().account.findFirstOrThrow();
  expect(account).toMatchObject({ status: 'trial', trialEndsAt });
  expect(account.id).not.toBe(before.id);

  // The short form of the subject belongs to the same Discord user.
  await db().account.deleteMany();
  const sub = 'discord-dev|208917000000000102';
  expect(await callWith(await product().bearer('jonas', { sub }), 'GET', '/api/app/me')).toBe(200);
  expect((await db().account.findFirstOrThrow()).trialEndsAt).toEqual(trialEndsAt);
});

test('a checkout that was open when its account was deleted can no longer be paid', async () => {
  const { body } = await product().call('vera', 'POST', '/api/app/billing/create-checkout-session');
  expect((await product().call('vera', 'DELETE', PATH)).status).toBe(200);
  await product().work();
  await pipeline.idle();
  await expect(till.pay(body.url)).rejects.toThrow(/409/);
});

test.each(['POST /v1/customers', 'POST /v1/checkout/sessions'])(
  'a deletion during a call to Stripe for %s leaves no customer and nothing that can be paid',
  async (match) => {
    const kept = async () => {
      const customers: { isDeleted: boolean }[] = await product().control('stripe', 'GET', '/customers');
      return customers.filter(({ isDeleted }) => !isDeleted).length;
    };
    const before = await kept();
    pipeline.fault({ target: 'stripe', kind: 'slow', match, times: 1, delayMs: 9000 });
    const token = await product().bearer('vera');
    await callWith(token, 'GET', '/api/app/me');
    const checkout = callWith(token, 'POST', '/api/app/billing/create-checkout-session');
    const isAsked = async () => product().sandbox.context.faults.list()[0]?.hits === 1;
    await eventually(isAsked);
    expect(await callWith(token, 'DELETE', PATH)).toBe(200);
    product().sandbox.context.faults.release();
    expect(await checkout).toBe(401);
    await product().work();
    await pipeline.idle();
    expect(await kept()).toBe(before);
  },
);

test('deleting twice at the same time is one deletion', async () => {
  const token = await product().bearer('vera');
  await callWith(token, 'GET', '/api/app/me');
  const statuses = await Promise.all([1, 2, 3].map(() => callWith(token, 'DELETE', PATH)));
  expect(statuses).toContain(200);
  expect(statuses.every((status) => [200, 401].includes(status))).toBe(true);
  expect(await db().account.count({ where: { discordUserId: '208917000000000103' } })).toBe(0);
});

test('an account is deleted while its holder removes their own link', async () => {
  const token = await product().bearer('vera');
  await callWith(token, 'GET', '/api/app/me');
  const account = await db().account.findFirstOrThrow({ where: { discordUserId: '208917000000000103' } });
  const vera = { discordUserId: '208917000000000103', notionUserId: 'vera', notionDisplayName: 'Vera' };
  await db().accountLink.create({ data: { accountId: account.id, ...vera } });
  const answers: Promise<number>[] = [];
  await whileLocked('lock table audit_entry in share mode', async (blocked) => {
    answers.push(callWith(token, 'DELETE', '/api/app/notion/link'));
    await blocked(1);
    answers.push(callWith(token, 'DELETE', PATH));
    await blocked(2);
  });
  expect(await Promise.all(answers)).toEqual([200, 200]);
  expect(await db().account.count({ where: { id: account.id } })).toBe(0);
});

test('an account with thousands of threads is deleted while limits of thousands of channels are known', async () => {
  const token = await product().bearer('vera');
  await callWith(token, 'GET', '/api/app/me');
  const { id } = await db().account.findFirstOrThrow({ where: { discordUserId: '208917000000000103' } });
  await db().$executeRaw`
    insert into message (id, at, account_id, kind, state, target_id)
    select gen_random_uuid(), now(), ${id}::uuid, 'reply', 'sent', 'thread' || nr from generate_series(1, 5000) nr`;
  await db().$executeRaw`
    insert into rate_limit (key, blocked_until)
    select 'discord:' || kind || nr, now() from generate_series(1, 2000) nr, unnest('{thread,channel}'::text[]) kind`;
  expect(await callWith(token, 'DELETE', PATH)).toBe(200);
  const kept = await db().rateLimit.findMany({ where: { key: { startsWith: 'discord:' } } });
  expect(kept.filter(({ key }) => key.startsWith('discord:thread'))).toEqual([]);
  expect(kept.filter(({ key }) => key.startsWith('discord:channel'))).toHaveLength(2000);
  await db().rateLimit.deleteMany();
});

test('deleting an account while its cards are being sent neither fails nor leaves a row', async () => {
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
  const { id: accountId } = await db().account.create({
    data: { subject: 'oauth2|discord-dev|208917000000000999', trialEndsAt: new Date(Date.now() + 60_000) },
  });
  const ids = Array.from({ length: 40 }, () => randomUUID());
  const at = new Date();
  await db().message.createMany({
    data: ids.map((id) => ({ id, accountId, at, targetId: '1', sealedBody: new Uint8Array([1]) })),
  });
  const account = await db().account.findUniqueOrThrow({ where: { id: accountId } });
  const send = async (id: string) => {
    const message = { id, at, usagePeriodStart: null };
    const reservation = await reserveNotification(account, message);
    if (!reservation || !('periodStart' in reservation)) return;
    const sent = [{ id, at, accountId, discordMessageId: '1', periodStart: reservation.periodStart }];
    await recordCalls({ sent, slots: [], blocks: [], ended: null, resumeAt: 0 });
  };
  const sending = ids.map(send);
  await expect(deleteAccount(account)).resolves.toEqual({ deleted: true });
  await Promise.all(sending);
  expect(await db().usagePeriod.count({ where: { accountId } })).toBe(0);
  expect(await db().message.count({ where: { accountId } })).toBe(0);
});

test('an account that takes long to delete is deleted while the turn of a channel ends', async () => {
  const at = new Date();
  const { id: accountId } = await db().account.create({
    data: { subject: 'oauth2|discord-dev|208917000000000998', trialEndsAt: new Date(Date.now() + 60_000) },
  });
  const account = await db().account.findUniqueOrThrow({ where: { id: accountId } });
  await db().auditEntry.create({ data: { accountId, action: 'rule.created' } });
  const message = { id: randomUUID(), accountId, at };
  await db().message.create({ data: { ...message, targetId: '1', sealedBody: new Uint8Array([1]) } });
  const ended = { channelId: '1', version: 1, leasedUntil: account.trialEndsAt, awaitsPost: false };
  const { channelId, leasedUntil } = ended;
  await db().channelTurn.create({ data: { channelId, accountId, leasedUntil } });
  const sent = [{ ...message, discordMessageId: '1', periodStart: null }];
  const record = recordSql([{ sent, slots: [], blocks: [], ended, resumeAt: 0 }], lockPatience(10_000));
  const ends: Promise<unknown>[] = [];
  // As if there were so much that it took seconds.
  await whileLocked('select 1 from audit_entry for update', async (blocked) => {
    ends.push(deleteAccount(account));
    await blocked(1);
    ends.push(runStatement(record));
    await blocked(2);
  });
  await expect(Promise.all(ends)).resolves.toMatchObject([{ deleted: true }, [{ confirmed: 0 }]]);
});

test('an account with a rule to people takes no limit or refusal of others along', async () => {
  const { guild, board } = pipeline.story;
  await product().installBot('jonas', guild.id);
  await product().connectNotion('jonas', [board.id]);
  const destination = { kind: 'person', discordUserId: '208917000000000102' };
  await pipeline.rule({ channelId: null, destination }, 'jonas');
  const blockedUntil = new Date(Date.now() + 3_600_000);
  const keys = [
    'discord:900000000000000003',
    'discord:GET /guilds/900000000000000001',
    'discord:POST /channels/900000000000000002/messages',
  ];
  await db().rateLimit.createMany({ data: keys.map((key) => ({ key, blockedUntil })) });
  expect((await product().call('jonas', 'DELETE', PATH)).status).toBe(200);
  const left = await db().rateLimit.findMany({ where: { key: { in: keys } }, orderBy: { key: 'asc' } });
  expect(left.map(({ key }) => key)).toEqual(keys);
});
