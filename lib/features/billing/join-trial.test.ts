import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { TestProduct } from '@/lib/testing/product';
import { StripeSteps } from '@/lib/testing/stripe-steps';
import { currentPeriod } from './period';
import { STARTER } from './plan';
import { TRIAL_USED } from './posting-permission';
import { whyCannotPost } from './quota';
import type { Billing } from './schema';

type Key = 'mira' | 'jonas';
const IDS = { mira: '208917000000000101', jonas: '208917000000000102' };
const CONNECTED = '/setup?discord=connected';

let product: TestProduct;
let till: StripeSteps;
let guild = '';
let board = '';

beforeAll(async () => {
  product = await TestProduct.start();
  till = new StripeSteps(product);
  const list: { id: string; name: string }[] = await product.control('discord', 'GET', '/guilds');
  guild = list.find(({ name }) => name === 'Lantern Works')?.id ?? '';
  board = (await product.databases()).get('Sprint board')?.id ?? '';
});
afterAll(() => product.stop());
beforeEach(async () => {
  await db().account.deleteMany();
  await db().trial.deleteMany();
});

const call = (key: Key, method: string, path: string) => product.call(key, method, `/api/app/${path}`);
const account = (key: Key) => db().account.findFirstOrThrow({ where: { discordUserId: IDS[key] } });
const billing = async (key: Key): Promise<Billing> => (await call(key, 'GET', 'billing')).body;
const install = (key: Key) => product.installBot(key, guild);
const connect = (key: Key) => product.connectNotion(key, [board]);
const leaveServer = (key: Key) => call(key, 'DELETE', 'discord/server');
const leaveWorkspace = (key: Key) => call(key, 'DELETE', 'notion/workspace');
const use = (key: Key, sent: number) => till.use(sent, IDS[key]);

/** Signs up, or comes back after a deletion. */
async function signUp(key: Key): Promise<void> {
  expect((await call(key, 'GET', 'me')).status).toBe(200);
}

async function leave(key: Key): Promise<void> {
  expect((await call(key, 'DELETE', 'account')).status).toBe(200);
}

/** Lets days pass for every trial. */
async function pass(days: number): Promise<void> {
  await db().$executeRaw`update account set trial_ends_at = trial_ends_at - ${`${days} days`}::interval`;
  await db().$executeRaw`update trial set ends_at = ends_at - ${`${days} days`}::interval`;
}

/** What the billing page says: days left, what is used, and whose earlier trial the account continues. */
async function billingOf(key: Key): Promise<[number, number, string | null]> {
  const { subscription, usage } = await billing(key);
  const leftMs = Date.parse(subscription.trialEndsAt ?? '') - Date.now();
  const daysLeft = subscription.isTrialActive ? Math.ceil(leftMs / 86_400_000) : 0;
  return [daysLeft, usage.notificationsUsed, subscription.trialSharedWith];
}

describe('a person who deletes an account and signs up again', () => {
  test('goes on with its days and with what it had used, however often', async () => {
    await signUp('mira');
    await install('mira');
    await connect('mira');
    await use('mira', 300);
    await pass(5);
    await leave('mira');
    await signUp('mira');
    expect(await billingOf('mira')).toEqual([9, 300, 'person']);
    expect(await install('mira')).toBe(CONNECTED);
    expect(await connect('mira')).toBe('/setup');
    expect(await billingOf('mira')).toEqual([9, 300, 'person']);
    await use('mira', 450);
    await pass(2);
    await leave('mira');
    await signUp('mira');
    expect(await billingOf('mira')).toEqual([7, 450, 'person']);
  });

  test('has none when it was over', async () => {
    await signUp('mira');
    await pass(20);
    const { trialEndsAt } = await account('mira');
    await leave('mira');
    await signUp('mira');
    expect(await account('mira')).toMatchObject({ trialEndsAt, trialSharedWith: 'person' });
    expect(await billingOf('mira')).toEqual([0, 0, 'person']);
  });

  test('is known by the subject where that names no Discord user', async () => {
    const sub = `oauth2|elsewhere|${IDS.mira}`;
    const get = async (method: string, path: string) => {
      const headers = { authorization: `Bearer ${await product.bearer('mira', { sub })}` };
      return fetch(`${product.url}/api/app/${path}`, { method, headers });
    };
    expect((await get('GET', 'me')).status).toBe(200);
    await pass(5);
    const { trialEndsAt } = await db().account.findFirstOrThrow();
    expect((await get('DELETE', 'account')).status).toBe(200);
    expect((await get('GET', 'me')).status).toBe(200);
    const again = { discordUserId: null, trialEndsAt, trialSharedWith: 'person' };
    expect(await db().account.findFirstOrThrow()).toMatchObject(again);
    await signUp('mira');
    expect(await billingOf('mira')).toEqual([14, 0, null]);
  });

  test('gets it in the other form of the subject, too, also beside a living account', async () => {
    await signUp('mira');
    await use('mira', 80);
    await pass(5);
    const sub = `discord-dev|${IDS.mira}`;
    const headers = { authorization: `Bearer ${await product.bearer('mira', { sub })}` };
    const answer = await fetch(`${product.url}/api/app/billing`, { headers });
    const { subscription, usage } = await answer.json();
    expect(subscription.trialEndsAt).toBe((await billing('mira')).subscription.trialEndsAt);
    expect(usage.notificationsUsed).toBe(80);
  });
});

describe('a server that comes to another account', () => {
  test('after a deletion brings its trial along, and the person keeps that', async () => {
    await signUp('mira');
    await install('mira');
    await use('mira', 700);
    await pass(5);
    await leave('mira');

    await signUp('jonas');
    expect(await billingOf('jonas')).toEqual([14, 0, null]);
    expect(await install('jonas')).toBe(CONNECTED);
    expect(await billingOf('jonas')).toEqual([9, 700, 'server']);
    await leave('jonas');
    await signUp('jonas');
    expect(await billingOf('jonas')).toEqual([9, 700, 'person']);
  });

  test('after a disconnection brings its trial along, and back again', async () => {
    await signUp('mira');
    await install('mira');
    await use('mira', 400);
    await leaveServer('mira');
    await pass(3);
    await signUp('jonas');
    await install('jonas');
    expect(await billingOf('jonas')).toEqual([11, 400, 'server']);
    await use('jonas', 900);
    await leaveServer('jonas');
    await install('mira');
    expect(await billingOf('mira')).toEqual([11, 900, 'server']);
  });

  test('is counted with the messages that are on their way, so that they do not pass the limit', async () => {
    await signUp('mira');
    await install('mira');
    await use('mira', 700);
    await leaveServer('mira');
    await signUp('jonas');
    await use('jonas', 20);
    await db().usagePeriod.updateMany({ where: { sent: 20 }, data: { reserved: 25 } });
    await install('jonas');
    expect(
      await db().usagePeriod.findMany({ where: { accountId: (await account('jonas')).id } }),
    ).toMatchObject([{ sent: 700, reserved: 705 }]);
  });

  test('and is used up lets nothing more be posted', async () => {
    await signUp('mira');
    await install('mira');
    await use('mira', STARTER.notifications);
    await leave('mira');
    await signUp('jonas');
    await install('jonas');
    expect((await whyCannotPost(await account('jonas')))?.reason).toBe(TRIAL_USED);
  });

  test('and has had its trial ends the one of the account at once', async () => {
    await signUp('mira');
    await install('mira');
    await use('mira', 700);
    await pass(30);
    await leave('mira');
    await signUp('jonas');
    await use('jonas', 20);
    const before = Date.now();
    expect(await install('jonas')).toBe(CONNECTED);
    expect(await billingOf('jonas')).toEqual([0, 20, 'server']);
    expect((await account('jonas')).trialEndsAt.getTime()).toBeGreaterThanOrEqual(before);
    expect((await whyCannotPost(await account('jonas')))?.reason).toMatch(/^The trial has ended/);
    await leaveServer('jonas');
    await leave('jonas');
    await signUp('jonas');
    expect(await billingOf('jonas')).toEqual([0, 0, 'person']);
  });

  test('is not given away twice when two accounts want it at once', async () => {
    await signUp('mira');
    await signUp('jonas');
    await use('mira', 100);
    await use('jonas', 200);
    await pass(4);
    const landed = await Promise.all([install('mira'), install('jonas')]);
    expect(landed.filter((path) => path === CONNECTED)).toHaveLength(1);
    const [winner, loser]: [Key, Key] = landed[0] === CONNECTED ? ['mira', 'jonas'] : ['jonas', 'mira'];
    await pass(4);
    await leave(winner);
    await install(loser);
    const [daysLeft, used] = await billingOf(loser);
    expect([daysLeft, used]).toEqual([6, 200]);
    expect(await db().trial.count()).toBe(3);
  });
});

test('whoever disconnects and connects the same again has the trial as before', async () => {
  await signUp('mira');
  await install('mira');
  await connect('mira');
  await use('mira', 120);
  await db().usagePeriod.updateMany({ data: { reserved: 125 } });
  await leaveServer('mira');
  await leaveWorkspace('mira');
  // Messages that were on their way were not posted, and released their reservations.
  await db().usagePeriod.updateMany({ data: { reserved: 120 } });
  const before = await account('mira');
  await install('mira');
  await connect('mira');
  expect(await account('mira')).toEqual(before);
  expect((await db().usagePeriod.findFirstOrThrow()).reserved).toBe(120);
});

describe('a workspace', () => {
  test('that comes to another account brings its trial along', async () => {
    await signUp('mira');
    await connect('mira');
    await use('mira', 250);
    await leaveWorkspace('mira');
    await pass(6);
    await signUp('jonas');
    await connect('jonas');
    expect(await billingOf('jonas')).toEqual([8, 250, 'workspace']);
  });

  test('that another account has at the same time brings what it has used until now', async () => {
    await signUp('mira');
    await connect('mira');
    await use('mira', 250);
    await pass(6);
    await signUp('jonas');
    await connect('jonas');
    expect(await billingOf('jonas')).toEqual([8, 250, 'workspace']);
    expect(await billingOf('mira')).toEqual([8, 250, null]);
  });

  test('that was connected before trials were remembered had its trial there', async () => {
    await signUp('mira');
    await connect('mira');
    await use('mira', 250);
    await pass(6);
    await db().trial.deleteMany();
    await signUp('jonas');
    await connect('jonas');
    expect(await billingOf('jonas')).toEqual([8, 250, 'workspace']);
  });

  test('is not shortened by an account whose trial is shorter', async () => {
    await signUp('mira');
    await install('mira');
    await pass(10);
    await signUp('jonas');
    await connect('jonas');
    await leaveServer('mira');
    await install('jonas');
    expect(await billingOf('jonas')).toEqual([4, 0, 'server']);
    await leave('jonas');
    await db().account.deleteMany();
    await db().trial.deleteMany({ where: { deletedAt: { not: null } } });
    await signUp('jonas');
    await connect('jonas');
    expect(await billingOf('jonas')).toEqual([14, 0, 'workspace']);
  });
});

describe('an account', () => {
  test('that pays keeps what it pays for, and takes no server into a trial', async () => {
    await signUp('mira');
    await install('mira');
    await pass(30);
    await leave('mira');
    await signUp('jonas');
    const paid = { status: 'active', paidPeriodStart: new Date(), paidPeriodEnd: new Date(Date.now() + 1e9) };
    await db().account.updateMany({ data: paid });
    const before = await account('jonas');
    await install('jonas');
    await connect('jonas');
    expect(await account('jonas')).toEqual(before);
    await leaveWorkspace('jonas');
    await db().account.deleteMany();
    await db().trial.deleteMany({ where: { deletedAt: { not: null } } });
    await signUp('mira');
    await connect('mira');
    expect(await billingOf('mira')).toEqual([14, 0, null]);
  });

  test('whose trial is over spends the trial of no server', async () => {
    await signUp('mira');
    await use('mira', 600);
    await pass(30);
    await install('mira');
    await leaveServer('mira');
    await signUp('jonas');
    await install('jonas');
    expect(await billingOf('jonas')).toEqual([14, 0, null]);
  });

  test('that subscribes after all begins its count anew', async () => {
    await signUp('mira');
    await install('mira');
    await use('mira', 700);
    await leave('mira');
    await signUp('jonas');
    await install('jonas');
    const start = new Date();
    const paid = { status: 'active', paidPeriodStart: start, paidPeriodEnd: new Date(Date.now() + 1e9) };
    await db().account.updateMany({ data: paid });
    expect(currentPeriod(await account('jonas'), new Date()).start).toEqual(start);
    expect((await billing('jonas')).usage.notificationsUsed).toBe(0);
  });
});

test('what is kept tells nobody whose it was', async () => {
  await signUp('mira');
  await install('mira');
  await connect('mira');
  const { notionWorkspaceId } = await db().notionWorkspace.findFirstOrThrow();
  const kept = JSON.stringify(await db().trial.findMany());
  expect(await db().trial.count()).toBe(3);
  for (const id of [IDS.mira, guild, notionWorkspaceId]) expect(kept).not.toContain(id);
});
