import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { accountOf } from '@/lib/auth/account';
import { loadKeyedHash } from '@/lib/auth/keyed-hash';
import { trialHash } from '@/lib/auth/trial-holder';
import { readTrials } from '@/lib/auth/trial-rows';
import { db, inBackground, transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { connectToOwnDatabase } from '@/lib/testing/own-database';
import { deleteAccount } from '../account/commands';
import { joinTrial } from '../billing/join-trial';
import { STARTER } from '../billing/plan';
import { TRIAL_USED, TRIAL_USED_TOGETHER } from '../billing/posting-permission';
import { getBilling } from '../billing/queries';
import { whyCannotPost } from '../billing/quota';
import { listUsagePeriods } from '../billing/usage';
import { disconnectWorkspace } from '../setup/disconnect';
import { lockAccount } from '../tenancy/lock-account';
import { endMessages } from './end-messages';
import { recordCalls } from './record-calls';
import { reserveNotification } from './reserve-notification';

const LIMIT = STARTER.notifications;
const PERSONS = ['208917000000000901', '208917000000000902', '208917000000000903'] as const;
const WORKSPACES = ['a workspace', 'another workspace'] as const;

connectToOwnDatabase();
beforeEach(async () => {
  await db().account.deleteMany();
  await db().trial.deleteMany();
});

const signUp = (id: string = PERSONS[0], form = 'oauth2|discord') => accountOf(`${form}|${id}`);
const fresh = ({ id }: Account) => db().account.findUniqueOrThrow({ where: { id } });
const billing = async (account: Account) => getBilling(await fresh(account));
const used = async (account: Account) => (await billing(account)).usage.notificationsUsed;
const periodOf = ({ id }: Account) => db().usagePeriod.findFirstOrThrow({ where: { accountId: id } });

/** Connects a workspace, as the callback from Notion does. */
async function connect({ id: accountId }: Account, notionWorkspaceId: string = WORKSPACES[0]) {
  const keyedHash = await loadKeyedHash();
  await transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const data = {
      accountId,
      notionWorkspaceId,
      botId: randomUUID(),
      name: 'W',
      sealedTokens: new Uint8Array(),
    };
    await tx.notionWorkspace.create({ data });
    await joinTrial(tx, keyedHash, accountId, { kind: 'workspace', id: notionWorkspaceId });
  });
}

/** Counts this many more as sent. */
async function use(account: Account, messages: number): Promise<void> {
  const more = { increment: messages };
  const { id: accountId, createdAt: startsAt } = await fresh(account);
  const data = { accountId, startsAt: dayOf(startsAt), endsAt: new Date(Date.now() + 1e9) };
  await db().usagePeriod.upsert({
    where: { accountId_startsAt: { accountId, startsAt: dayOf(startsAt) } },
    create: { ...data, reserved: messages, sent: messages },
    update: { reserved: more, sent: more },
  });
}

const dayOf = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));

/** Adds waiting messages to an account. */
async function queue({ id: accountId }: Account, count: number) {
  const at = new Date();
  const data = Array.from({ length: count }, () => {
    return { id: randomUUID(), at, accountId, targetId: '1', sealedBody: new Uint8Array([1]) };
  });
  await db().message.createMany({ data });
  return data.map(({ id }) => ({ id, at, accountId, usagePeriodStart: null }));
}

/**
 * Reserves notifications for new messages at the same time, as workers do. Returns which got one, and why others did
 * not.
 */
async function take(account: Account, count: number) {
  return reservationsFor(await fresh(account), await queue(account, count));
}

async function reservationsFor(account: Account, messages: Awaited<ReturnType<typeof queue>>) {
  const reservations = await inBackground(() =>
    Promise.all(messages.map((message) => reserveNotification(account, message))),
  );
  const reserved = messages.flatMap((message, index) => {
    const reservation = reservations[index];
    return reservation && 'periodStart' in reservation
      ? [{ ...message, periodStart: reservation.periodStart }]
      : [];
  });
  const stopped = reservations.flatMap((reservation) =>
    reservation && 'stopped' in reservation ? [reservation.stopped.reason] : [],
  );
  return { reserved, stopped };
}

async function trialOf(workspace: string = WORKSPACES[0]) {
  const holderHash = trialHash(await loadKeyedHash(), { kind: 'workspace', id: workspace });
  const [trial] = await readTrials(db(), [holderHash]);
  return trial;
}

/** Two accounts with one workspace that have used all but `left` notifications of its trial. */
async function together(left: number): Promise<[Account, Account]> {
  const [mira, jonas] = [await signUp(), await signUp(PERSONS[1])];
  await connect(mira);
  await connect(jonas);
  await use(mira, LIMIT / 2 - left);
  await use(jonas, LIMIT / 2);
  return [mira, jonas];
}

describe('two accounts on trial with one workspace', () => {
  test('reserve its last notifications once, however many workers of both race for them', async () => {
    const [mira, jonas] = await together(10);
    const taken = await Promise.all([take(mira, 20), take(jonas, 20)]);
    expect(taken.flatMap(({ reserved }) => reserved)).toHaveLength(10);
    expect(taken.flatMap(({ stopped }) => stopped)).toEqual(Array(30).fill(TRIAL_USED_TOGETHER));
    expect(await trialOf()).toMatchObject({ reserved: LIMIT, sent: LIMIT - 10, isShared: true });
    expect((await whyCannotPost(await fresh(jonas)))?.reason).toBe(TRIAL_USED_TOGETHER);
  });

  test('share it also when both connect it at the same moment', async () => {
    const [mira, jonas] = [await signUp(), await signUp(PERSONS[1])];
    await Promise.all([connect(mira), connect(jonas)]);
    await use(mira, LIMIT - 300);
    await use(jonas, 290);
    const taken = await Promise.all([take(mira, 20), take(jonas, 20)]);
    expect(taken.flatMap(({ reserved }) => reserved)).toHaveLength(10);
  });

  test('get back the notifications of what was not sent, and both see what was', async () => {
    const [mira, jonas] = await together(2);
    const { reserved } = await take(mira, 3);
    const [first, second] = reserved;
    if (!first || !second) throw new Error('no reservations');
    expect((await take(jonas, 1)).stopped).toEqual([TRIAL_USED_TOGETHER]);
    await endMessages({ messageId: first.id }, 'failed', 'refused', 'refused');
    const sent = { ...second, discordMessageId: '1' };
    await recordCalls({ sent: [sent], slots: [], blocks: [], ended: null, resumeAt: 0 });
    expect(await trialOf()).toMatchObject({ reserved: LIMIT - 1, sent: LIMIT - 1 });
    expect([await used(mira), await used(jonas)]).toEqual([LIMIT - 1, LIMIT - 1]);
    expect((await take(jonas, 2)).reserved).toHaveLength(1);
  });

  test('say so in the billing of both', async () => {
    const [mira, jonas] = [await signUp(), await signUp(PERSONS[1])];
    await connect(mira);
    expect((await billing(mira)).subscription.isTrialShared).toBe(false);
    await connect(jonas);
    expect((await billing(mira)).subscription.isTrialShared).toBe(true);
    expect((await billing(jonas)).subscription.isTrialShared).toBe(true);
  });

  test('see the same count among their periods as in the billing', async () => {
    for (const each of await together(10)) {
      const [period] = await listUsagePeriods(each);
      expect([period?.notificationsUsed, await used(each)]).toEqual([LIMIT - 10, LIMIT - 10]);
    }
  });

  test('count only what they use from then on, and neither loses what the other had used alone', async () => {
    const [mira, jonas] = [await signUp(), await signUp(PERSONS[1])];
    await use(jonas, LIMIT - 10);
    await connect(mira);
    await connect(jonas);
    expect([await used(mira), await used(jonas)]).toEqual([0, LIMIT - 10]);
    expect((await take(jonas, 20)).reserved).toHaveLength(10);
    expect(await trialOf()).toMatchObject({ reserved: 10 });
    expect((await take(mira, 20)).reserved).toHaveLength(20);
  });

  test('go on together after one has disconnected it, and with a third that connects it then', async () => {
    const [mira, jonas] = await together(10);
    await disconnectWorkspace(mira);
    await disconnectWorkspace(jonas);
    const vera = await signUp(PERSONS[2]);
    await connect(vera);
    expect(await used(vera)).toBe(LIMIT - 10);
    const taken = await Promise.all([take(mira, 10), take(jonas, 10), take(vera, 10)]);
    expect(taken.flatMap(({ reserved }) => reserved)).toHaveLength(10);
  });

  test('leave one alone that pays, and what it uses then is not counted', async () => {
    const [mira, jonas] = await together(0);
    const start = new Date();
    const data = { status: 'active', paidPeriodStart: start, paidPeriodEnd: new Date(Date.now() + 1e9) };
    await db().account.update({ where: { id: mira.id }, data });
    expect((await take(mira, 20)).reserved).toHaveLength(20);
    expect(await whyCannotPost(await fresh(mira))).toBeNull();
    expect((await billing(mira)).subscription.isTrialShared).toBe(false);
    expect(await used(mira)).toBe(0);
    expect(await trialOf()).toMatchObject({ reserved: LIMIT });
    expect((await take(jonas, 1)).stopped).toEqual([TRIAL_USED_TOGETHER]);
  });
});

describe('deleting an account', () => {
  test('leaves what it used with the workspace, for whoever has it and whoever connects it next', async () => {
    const [mira, jonas] = await together(100);
    await take(mira, 10);
    await deleteAccount(mira);
    expect((await take(jonas, 100)).reserved).toHaveLength(90);
    await deleteAccount(jonas);
    const vera = await signUp(PERSONS[2]);
    await connect(vera);
    expect((await take(vera, 1)).stopped).toEqual([TRIAL_USED]);
    expect(await trialOf()).toMatchObject({ reserved: LIMIT, isShared: false });
  });

  test('does not begin the count of the person or the workspace anew', async () => {
    const [mira] = await together(100);
    await deleteAccount(mira);
    const again = await signUp();
    expect(await used(again)).toBe(LIMIT / 2 - 100);
    await connect(again);
    expect(await used(again)).toBe(LIMIT - 100);
    expect((await take(again, 150)).reserved).toHaveLength(100);
  });

  test('while both reserve loses none, and lets nobody have more', async () => {
    const [mira, jonas] = await together(10);
    const [some, others] = [await queue(mira, 20), await queue(jonas, 20)];
    const taking = [reservationsFor(mira, some), reservationsFor(jonas, others)];
    await expect(deleteAccount(mira)).resolves.toEqual({ deleted: true });
    const taken = await Promise.all(taking);
    expect(taken.flatMap(({ reserved }) => reserved)).toHaveLength(10);
    expect(await trialOf()).toMatchObject({ reserved: LIMIT });
    expect(await db().usagePeriod.count({ where: { accountId: mira.id } })).toBe(0);
  });
});

test('the accounts of one person use up one trial together', async () => {
  const mira = await signUp();
  await use(mira, 300);
  const twin = await signUp(PERSONS[0], 'discord');
  expect(await used(twin)).toBe(300);
  await use(mira, 400);
  await use(twin, LIMIT - 710);
  const taken = await Promise.all([take(mira, 10), take(twin, 10)]);
  expect(taken.flatMap(({ reserved }) => reserved)).toHaveLength(10);
  await deleteAccount(mira);
  expect((await take(twin, 1)).stopped).toEqual([TRIAL_USED_TOGETHER]);
});

test('a trial that an account brings along is no use of those that it shares', async () => {
  const [mira, jonas] = [await signUp(), await signUp(PERSONS[1])];
  const vera = await signUp(PERSONS[2]);
  await connect(vera, WORKSPACES[1]);
  await use(vera, 700);
  await deleteAccount(vera);
  await connect(mira);
  await connect(jonas);
  await disconnectWorkspace(jonas);
  await connect(jonas, WORKSPACES[1]);
  expect([await used(mira), await used(jonas)]).toEqual([0, 700]);
  await take(jonas, 5);
  expect([(await trialOf())?.reserved, (await trialOf(WORKSPACES[1]))?.reserved]).toEqual([5, 700]);
});

test('an account that comes back to what it shares is as before', async () => {
  const [mira] = await together(100);
  const before = await periodOf(mira);
  await disconnectWorkspace(mira);
  await connect(mira);
  expect(await periodOf(mira)).toEqual(before);
  expect(await used(mira)).toBe(LIMIT - 100);
});

test('an account that shares nothing names no trial', async () => {
  const mira = await signUp();
  await connect(mira);
  expect((await take(mira, 3)).reserved).toHaveLength(3);
  expect((await periodOf(mira)).sharedTrials).toEqual([]);
  expect(await trialOf()).toMatchObject({ reserved: 0, isShared: false });
});

test('accounts that connect, disconnect, send, give back and are deleted all at once never wait for each other for ever', async () => {
  for (let round = 0; round < 6; round += 1) {
    await db().account.deleteMany();
    await db().trial.deleteMany();
    const accounts = await Promise.all(PERSONS.map((id) => signUp(id)));
    const [mira, jonas, vera] = accounts as [Account, Account, Account];
    await Promise.all([connect(mira), connect(jonas), connect(vera, WORKSPACES[1])]);
    await use(mira, LIMIT - 20);
    const giveBack = async (account: Account) => {
      const { reserved } = await take(account, 5);
      await Promise.all(
        reserved.map(({ id: messageId }) => endMessages({ messageId }, 'failed', 'refused', 'refused')),
      );
    };
    const swap = async (account: Account, workspace: string) => {
      await disconnectWorkspace(account);
      await connect(account, workspace);
    };
    const messages = await Promise.all(accounts.map((account) => queue(account, 10)));
    const taking = accounts.map((account, index) => reservationsFor(account, messages[index] ?? []));
    await inBackground(() =>
      Promise.all([
        ...taking,
        giveBack(jonas),
        giveBack(vera),
        swap(vera, WORKSPACES[0]),
        swap(jonas, WORKSPACES[1]),
        signUp(PERSONS[1], 'discord'),
        deleteAccount(mira),
      ]),
    );
    const trial = await trialOf();
    expect(trial?.reserved).toBeLessThanOrEqual(LIMIT);
  }
  const [counted] = await db().$queryRaw<{ deadlocks: bigint }[]>`
    select deadlocks from pg_stat_database where datname = current_database()`;
  expect(Number(counted?.deadlocks)).toBe(0);
});
