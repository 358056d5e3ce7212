import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { databasePool, db } from '@/lib/db/database';
import type { TakeoverState } from '@/lib/db/generated/enums';
import { enqueue } from '@/lib/queue/enqueue';
import { accountFlag } from '@/lib/queue/fair-jobs';
import { setupError } from '@/lib/testing/oauth-flows';
import { eventually, TestProduct } from '@/lib/testing/product';
import { postToDiscordDoor } from '@/lib/testing/signed-calls';
import { untilBlocked } from '@/lib/testing/while-locked';
import { PEOPLE } from '../../../sandbox/people';
import { forgetOldRecords } from '../account/retention';
import { forgetRefusals } from '../calls/route-refusals';
import { tellTakeoverJob } from './tell-takeover';

type Key = 'mira' | 'jonas' | 'vera';

const CONNECTED = '/setup?discord=connected';
const TAKEN = setupError('oauth_failed', 'That server is already connected to another Pagewire account.');
const EIGHT_DAYS_MS = 8 * 86_400_000;
let product: TestProduct;
let guildId: string;
let playtestId: string;

// Jonas installed the bot while he was one of the leads. Mira owns the server.
beforeAll(async () => {
  product = await TestProduct.start();
});
afterAll(() => product.stop());
beforeEach(async () => {
  await product.rest();
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
  await db().account.deleteMany();
  // Without this, a token issued in the second in which an account was deleted would be refused.
  await db().trial.deleteMany();
  await db().rateLimit.deleteMany();
  const response = await fetch(`${product.sandbox.context.urls.discord}/_sandbox/reset`, { method: 'POST' });
  expect(response.ok).toBe(true);
  await product.control('discord', 'PUT', '/limits', { limits: 'off' });
  const guilds: { id: string; name: string }[] = await product.control('discord', 'GET', '/guilds');
  guildId = guilds.find(({ name }) => name === 'Lantern Works')?.id ?? '';
  playtestId = guilds.find(({ name }) => name === 'Lantern Playtest')?.id ?? '';
  expect(await product.installBot('jonas', guildId)).toBe(CONNECTED);
  await demote('jonas');
});

const userId = (key: Key) => PEOPLE.find((person) => person.key === key)?.discordId ?? '';
const setRoles = (key: Key, roles: string[]) =>
  product.control('discord', 'PUT', `/guilds/${guildId}/members/${userId(key)}`, { roles });
const demote = (key: Key) => setRoles(key, []);
const promote = (key: Key) => setRoles(key, ['Leads']);
const takeovers = async (key: Key) => (await product.call(key, 'GET', '/api/app/discord/takeovers')).body;
const serverOf = async (key: Key) => (await product.call(key, 'GET', '/api/app/discord/server')).body;
const accountOf = (key: Key) => db().account.findFirstOrThrow({ where: { discordUserId: userId(key) } });
const post = (key: Key, id: string, what: 'request' | 'keep' | 'hand-over') =>
  product.call(key, 'POST', `/api/app/discord/takeovers/${id}/${what}`);

interface Letter {
  id: string;
  content: string;
  components: { components: { label: string; custom_id: string }[] }[];
}
const letters = async (key: Key): Promise<Letter[]> =>
  (await product.control('discord', 'GET', `/direct-messages/${userId(key)}`)).messages;

/** Mira installs the bot in Jonas's server, so that she may ask for it. Returns the id of her takeover. */
async function offer(key: Key = 'mira'): Promise<string> {
  expect(await product.installBot(key, guildId)).toBe(TAKEN);
  const { wanted } = await takeovers(key);
  expect(wanted).toMatchObject([{ serverName: 'Lantern Works', state: 'offered', until: null }]);
  return wanted[0].id;
}

// Asks the database, because so many calls of the API in a minute would be refused.
const becomes = (id: string, state: TakeoverState) =>
  eventually(async () => (await db().serverTakeover.count({ where: { id, state } })) === 1);

/** Lets Mira ask, and waits until the bot has written to Jonas, or has tried to. */
async function ask(key: Key = 'mira'): Promise<string> {
  const id = await offer(key);
  expect(await post(key, id, 'request')).toMatchObject({ status: 200, body: { requested: true } });
  await product.work();
  await becomes(id, 'asked');
  return id;
}

const letTimePass = (ms: number) =>
  db().$executeRaw`update server_takeover set since = since - ${ms}::float8 * interval '1 millisecond'`;

/** Presses a button of Jonas's direct message as the given person. Returns the text of the message afterwards. */
async function press(label: 'Keep it' | 'Hand it over', as: Key = 'jonas'): Promise<string> {
  const [letter] = await letters('jonas');
  const button = letter?.components[0]?.components.find((each) => each.label === label);
  const interaction = {
    id: randomUUID(),
    type: 3,
    user: { id: userId(as), username: as },
    message: { id: letter?.id ?? '' },
    data: { custom_id: button?.custom_id ?? '' },
  };
  const response = await postToDiscordDoor(product, JSON.stringify(interaction));
  const { type, data } = await response.json();
  expect({ type, components: data.components }).toEqual({ type: 7, components: [] });
  return data.content;
}

const audited = async (key: Key): Promise<string[]> => {
  const { id: accountId } = await accountOf(key);
  const entries = await db().auditEntry.findMany({ where: { accountId }, orderBy: { id: 'asc' } });
  return entries.map(({ action }) => action).filter((action) => !/^workspace|^link/.test(action));
};

const noJobs = () =>
  eventually(async () => {
    const [left] = await db().$queryRaw<{ count: number }[]>`
      select count(*)::int as count from graphile_worker.jobs where key not like 'register%'`;
    return left?.count === 0;
  });

test('the question and the move belong to the account that asks', async () => {
  const id = await offer();
  await post('mira', id, 'request');
  await db().serverTakeover.updateMany({ data: { state: 'asked' } });
  expect((await post('jonas', id, 'hand-over')).status).toBe(200);
  const flag = accountFlag((await accountOf('mira')).id);
  const jobs = await db().$queryRaw<{ name: string }[]>`
    select task_identifier as name from graphile_worker.jobs where flags ? ${flag} order by 1`;
  expect(jobs.map(({ name }) => name)).toEqual(expect.arrayContaining(['ask-holder', 'hand-over']));
});

test("a person who installs in another account's server may ask for it, and its holder is asked in Discord", async () => {
  await ask();
  const [letter] = await letters('jonas');
  expect(letter?.content).toMatch(
    /^mira \(<@208917000000000101>\) manages Lantern Works in Discord and asks/,
  );
  expect(letter?.content).toMatch(/Without an answer by <t:\d+:F> they can take it over\.$/);
  expect(letter?.components[0]?.components.map(({ label }) => label)).toEqual(['Keep it', 'Hand it over']);
  expect(await letters('jonas')).toHaveLength(1);
  const { wanted, asked } = await takeovers('jonas');
  expect(wanted).toEqual([]);
  expect(asked).toMatchObject([{ serverName: 'Lantern Works', askerName: 'mira', state: 'asked' }]);
  const [{ since, until }] = asked;
  expect(Date.parse(until) - Date.parse(since)).toBe(7 * 86_400_000);
  // The message says the same time.
  expect(letter?.content).toContain(`<t:${Math.floor(Date.parse(until) / 1000)}:F>`);
  expect(await audited('mira')).toEqual(['server.takeover_requested']);
  expect(await audited('jonas')).toEqual(['server.connected', 'server.takeover_requested']);
});

test('whoever deletes their account and signs up again does not ask the same holder again before the request would have lapsed', async () => {
  await ask();
  expect((await product.call('mira', 'DELETE', '/api/app/account')).status).toBe(200);
  const refused = { error: 'You have asked for this server already.', code: 'conflict' };
  const id = await offer();
  expect(await post('mira', id, 'request')).toMatchObject({ status: 409, body: refused });
  expect((await takeovers('mira')).wanted).toMatchObject([{ state: 'offered' }]);
  const [limit] = await db().rateLimit.findMany({ where: { key: { startsWith: 'takeover:' } } });
  expect(limit?.key).toMatch(/^takeover:[0-9a-f]{64}$/);
  await db().rateLimit.updateMany({ data: { blockedUntil: new Date() } });
  expect((await post('mira', id, 'request')).status).toBe(200);
});

test('nothing is taken over before the seven days have passed', async () => {
  await ask();
  expect(await product.installBot('mira', guildId)).toBe(TAKEN);
  expect((await takeovers('mira')).wanted[0].state).toBe('asked');
  expect(await serverOf('jonas')).toMatchObject({ name: 'Lantern Works' });
});

test('after seven days without an answer the server moves at the next install, and both audit lists show it', async () => {
  await ask();
  await letTimePass(EIGHT_DAYS_MS);
  expect((await takeovers('mira')).wanted[0].state).toBe('due');
  expect(await product.installBot('mira', guildId)).toBe(CONNECTED);
  expect(await serverOf('jonas')).toBeNull();
  expect(await serverOf('mira')).toMatchObject({ name: 'Lantern Works', problem: null });
  expect((await serverOf('mira')).channels).not.toHaveLength(0);
  expect(await takeovers('mira')).toEqual({ wanted: [], asked: [] });
  await noJobs();
  expect((await letters('jonas')).at(-1)?.content).toMatch(
    /^Lantern Works is no longer connected to your Pagewire account\./,
  );
  expect(await audited('jonas')).toEqual([
    'server.connected',
    'server.takeover_requested',
    'server.taken_over',
  ]);
  expect(await audited('mira')).toEqual([
    'server.takeover_requested',
    'server.connected',
    'server.taken_over',
  ]);
  expect(await press('Keep it')).toMatch(/^This request has ended/);
  expect(await serverOf('mira')).toMatchObject({ name: 'Lantern Works' });
});

test('a holder who cannot be sent a message has seven days all the same', async () => {
  await product.control('discord', 'DELETE', `/guilds/${guildId}/members/${userId('jonas')}`);
  await product.control('discord', 'DELETE', `/guilds/${playtestId}/members/${userId('jonas')}`);
  await ask();
  expect(await letters('jonas')).toEqual([]);
  expect((await takeovers('jonas')).asked).toMatchObject([{ state: 'asked' }]);
  expect(await product.installBot('mira', guildId)).toBe(TAKEN);
  await letTimePass(EIGHT_DAYS_MS);
  expect(await product.installBot('mira', guildId)).toBe(CONNECTED);
});

test('the seven days begin when the holder was asked, and not while Discord does not answer', async () => {
  product.sandbox.context.faults.add({
    target: 'discord',
    kind: 'fail',
    match: 'POST .*/users/@me/channels',
    times: 2,
    status: 503,
    delayMs: 0,
  } as never);
  const id = await offer();
  await post('mira', id, 'request');
  await letTimePass(EIGHT_DAYS_MS);
  expect((await takeovers('mira')).wanted[0].state).toBe('requested');
  expect(await product.installBot('mira', guildId)).toBe(TAKEN);
  await product.work();
  await becomes(id, 'asked');
  expect(await letters('jonas')).toHaveLength(1);
  expect(await product.installBot('mira', guildId)).toBe(TAKEN);
});

test('a holder who has answered on the dashboard is no longer asked when Discord answers again', async () => {
  const silence = { target: 'discord', kind: 'fail', match: 'POST .*/users/@me/channels', times: 0 } as const;
  product.sandbox.context.faults.add({ ...silence, status: 503, delayMs: 0 });
  const id = await offer();
  await post('mira', id, 'request');
  await product.work();
  await eventually(async () => (await db().message.count({ where: { attempts: { gt: 0 } } })) === 1);
  expect((await post('jonas', id, 'keep')).status).toBe(200);
  product.sandbox.context.faults.clear();
  await noJobs();
  expect(await letters('jonas')).toEqual([]);
  expect(await letters('mira')).toHaveLength(1);
});

test('news that an earlier version has left to a job are told once, however often the job is run', async () => {
  await offer();
  const { id: recipientId } = await accountOf('mira');
  const { id: serverId } = await db().discordServer.findFirstOrThrow();
  for (const _ of ['run', 'run again']) {
    await enqueue(db(), tellTakeoverJob, { recipientId, serverId, news: 'kept' }, { accountId: recipientId });
    await product.work();
    await noJobs();
  }
  expect(await letters('mira')).toHaveLength(1);
});

test('the server of a holder who still manages it cannot be asked for', async () => {
  await promote('jonas');
  const id = await offer();
  const answer = await post('mira', id, 'request');
  expect(answer.status).toBe(409);
  expect(answer.body.error).toMatch(/^Whoever connected Lantern Works still manages it/);
  expect((await takeovers('jonas')).asked).toEqual([]);
});

test('a holder who manages the server again keeps it, although they did not answer', async () => {
  await ask();
  await letTimePass(EIGHT_DAYS_MS);
  await promote('jonas');
  expect(await product.installBot('mira', guildId)).toMatch(/error=oauth_failed.*still\+manages/);
  expect(await serverOf('jonas')).toMatchObject({ name: 'Lantern Works' });
});

test('a person who has lost Manage Server meanwhile cannot ask', async () => {
  await demote('mira');
  await promote('vera');
  const id = await offer('vera');
  await demote('vera');
  const answer = await post('vera', id, 'request');
  expect(answer).toMatchObject({
    status: 403,
    body: { error: 'You need Manage Server in Lantern Works to ask for it.' },
  });
});

test('a holder who keeps it ends the request, and nobody asks them again for 30 days', async () => {
  const id = await ask();
  expect(await press('Keep it')).toMatch(/^You keep Lantern Works\./);
  expect(await press('Keep it')).toMatch(/^You keep Lantern Works\./);
  expect((await takeovers('mira')).wanted).toMatchObject([{ state: 'kept' }]);
  expect((await takeovers('jonas')).asked).toEqual([]);
  await noJobs();
  expect((await letters('mira')).map(({ content }) => content)).toEqual([
    'Whoever connected Lantern Works to Pagewire keeps it. You can ask again in 30 days.',
  ]);
  await letTimePass(EIGHT_DAYS_MS);
  expect(await product.installBot('mira', guildId)).toBe(TAKEN);
  expect(await post('mira', id, 'request')).toMatchObject({ status: 409 });
  expect(await audited('mira')).toEqual(['server.takeover_requested', 'server.takeover_kept']);
  expect((await audited('jonas')).at(-1)).toBe('server.takeover_kept');
  expect(await press('Hand it over')).toMatch(/^This request has ended/);

  await letTimePass(3 * EIGHT_DAYS_MS);
  await forgetOldRecords();
  expect(await takeovers('mira')).toMatchObject({ wanted: [] });
  await offer();
});

test('a holder who hands it over loses it at once to the person who asked', async () => {
  await ask();
  expect(await press('Hand it over')).toMatch(/^You hand Lantern Works over to mira\./);
  await eventually(async () => (await serverOf('mira')) !== null);
  expect(await serverOf('jonas')).toBeNull();
  await noJobs();
  expect((await letters('mira')).at(-1)?.content).toMatch(/^Lantern Works was handed over to you/);
  expect(await letters('jonas')).toHaveLength(1);
  expect(await audited('jonas')).toEqual([
    'server.connected',
    'server.takeover_requested',
    'server.handed_over',
    'server.taken_over',
  ]);
});

test('the holder can also answer on the dashboard', async () => {
  const id = await ask();
  expect((await post('jonas', id, 'hand-over')).status).toBe(200);
  await eventually(async () => (await serverOf('mira')) !== null);
  expect((await post('jonas', id, 'keep')).status).toBe(404);
});

test('nobody but the holder can answer, by button or by call', async () => {
  const id = await ask();
  for (const as of ['mira', 'vera'] as const) {
    expect(await press('Hand it over', as)).toMatch(/^This request has ended/);
    expect((await post(as, id, 'hand-over')).status).toBe(404);
    expect((await post(as, id, 'keep')).status).toBe(404);
  }
  expect((await post('vera', id, 'request')).status).toBe(404);
  expect((await takeovers('vera')).wanted).toEqual([]);
  expect((await takeovers('mira')).wanted[0].state).toBe('asked');
  expect((await product.call(null, 'GET', '/api/app/discord/takeovers')).status).toBe(401);
  expect((await post('mira', 'not-an-id', 'keep')).status).toBe(404);
});

test('a server handed over to somebody who no longer manages it stays until they can install there', async () => {
  await promote('vera');
  await ask('vera');
  await demote('vera');
  await press('Hand it over');
  await noJobs();
  expect(await serverOf('jonas')).toMatchObject({ name: 'Lantern Works' });
  expect((await takeovers('jonas')).asked).toMatchObject([{ state: 'handed_over' }]);
  await promote('vera');
  expect(await product.installBot('vera', guildId)).toBe(CONNECTED);
  expect(await serverOf('jonas')).toBeNull();
});

test('while Discord refuses the bot’s token, a request can be repeated, and a hand-over waits', async () => {
  const { faults } = product.sandbox.context;
  const refusal = { target: 'discord', kind: 'fail', match: `GET .*/guilds/${guildId}`, times: 0 } as const;
  const refuse = () => faults.add({ ...refusal, status: 401, delayMs: 0 });
  const accept = async () => {
    faults.clear();
    await forgetRefusals(guildId);
  };
  const id = await offer();
  refuse();
  const error = 'Discord does not answer. Try again in a minute.';
  expect(await post('mira', id, 'request')).toMatchObject({ status: 502, body: { error } });
  await accept();
  expect((await post('mira', id, 'request')).status).toBe(200);
  await product.work();
  await becomes(id, 'asked');
  refuse();
  await press('Hand it over');
  const waiting = () => db().$queryRaw<unknown[]>`
    select 1 from graphile_worker.jobs where task_identifier = 'hand-over' and attempts > 0 and run_at > now()`;
  await eventually(async () => (await waiting()).length > 0);
  await accept();
  await db().$executeRaw`update graphile_worker._private_jobs set run_at = now() where locked_at is null`;
  await eventually(async () => (await serverOf('mira')) !== null);
});

test('a person who has connected another server meanwhile does not get this one too', async () => {
  await ask();
  expect(await product.installBot('mira', playtestId)).toBe(CONNECTED);
  await press('Hand it over');
  await noJobs();
  expect(await serverOf('jonas')).toMatchObject({ name: 'Lantern Works' });
  expect(await product.installBot('mira', guildId)).toMatch(/Your\+plan\+has\+one\+server/);
  expect(await serverOf('mira')).toMatchObject({ name: 'Lantern Playtest' });
});

test('of two people who ask, the first to install gets it, and the other may ask the new holder', async () => {
  await promote('vera');
  await ask('mira');
  await ask('vera');
  expect(await letters('jonas')).toHaveLength(2);
  await letTimePass(EIGHT_DAYS_MS);
  const landed = await Promise.all([
    product.installBot('mira', guildId),
    product.installBot('vera', guildId),
  ]);
  expect(landed.sort()).toEqual([TAKEN, CONNECTED].sort());
  expect(await db().discordServer.count()).toBe(1);
  const loser = (await serverOf('mira')) ? 'vera' : 'mira';
  await eventually(async () => (await takeovers(loser)).wanted[0]?.state === 'offered');
});

test('a simultaneous answer and install leave the server with one account', async () => {
  await ask();
  await letTimePass(EIGHT_DAYS_MS);
  await Promise.all([press('Keep it'), product.installBot('mira', guildId)]);
  const holders = await Promise.all([serverOf('jonas'), serverOf('mira')]);
  expect(holders.filter(Boolean)).toHaveLength(1);
});

test('a request ends when its holder disconnects or when either account is deleted', async () => {
  await ask();
  expect((await product.call('jonas', 'DELETE', '/api/app/discord/server')).status).toBe(200);
  expect(await press('Hand it over')).toMatch(/^This request has ended/);
  expect((await takeovers('mira')).wanted).toEqual([]);
  await product.rest();
  expect(await product.installBot('mira', guildId)).toBe(CONNECTED);

  expect((await product.call('mira', 'DELETE', '/api/app/discord/server')).status).toBe(200);
  await product.rest();
  await promote('jonas');
  expect(await product.installBot('jonas', guildId)).toBe(CONNECTED);
  await demote('jonas');
  await ask();
  expect((await product.call('mira', 'DELETE', '/api/app/account')).status).toBe(200);
  expect((await takeovers('jonas')).asked).toEqual([]);
  expect(await serverOf('jonas')).toMatchObject({ name: 'Lantern Works' });
});

test('a request that nobody used for 30 days has lapsed', async () => {
  await ask();
  await letTimePass(4 * EIGHT_DAYS_MS);
  expect(await product.installBot('mira', guildId)).toBe(TAKEN);
  expect((await takeovers('mira')).wanted).toMatchObject([{ state: 'offered' }]);
});

test('cards that waited under the old account are never posted after the server has moved', async () => {
  const holder = await accountOf('jonas');
  const { id: serverId } = await db().discordServer.findFirstOrThrow();
  const databases = await product.databases();
  await product.connectNotion('jonas', [databases.get('Sprint board')?.id ?? '']);
  const workspace = await db().notionWorkspace.findFirstOrThrow({ include: { databases: true } });
  const [database] = workspace.databases;
  const channelId = (await serverOf('jonas')).channels.find(
    ({ botHasAccess }: { botHasAccess: boolean }) => botHasAccess,
  ).id;
  const rule = await db().rule.create({
    data: {
      accountId: holder.id,
      serverId,
      workspaceId: workspace.id,
      databaseId: database?.id ?? '',
      eventType: 'page_created',
      channelId,
      channelName: 'tasks',
      watchedProperties: [],
      statusTo: [],
      displayedFields: [],
    },
  });
  const at = new Date();
  const settles = { eventId: 'settles', eventAt: at, pageId: 'p', outcome: 'settling' } as const;
  await db().decision.create({ data: { accountId: holder.id, ruleId: rule.id, ...settles } });
  const waiting = { accountId: holder.id, sourceId: rule.id, targetId: channelId, at };
  await db().message.createMany({
    data: [
      { ...waiting, reason: 'waits' },
      { ...waiting, state: 'held', finishedAt: new Date(), reason: 'was held' },
    ],
  });
  await ask();
  await product.rest();
  await letTimePass(EIGHT_DAYS_MS);
  expect(await product.installBot('mira', guildId)).toBe(CONNECTED);
  const { queueHeldNotice } = await import('../outbox/held-notice');
  expect(await queueHeldNotice({ accountId: holder.id, channelId })).toEqual({ done: true });
  await product.work();
  await noJobs();
  const cards = { kind: 'post' } as const;
  const left = await db().message.findMany({ where: cards, select: { reason: true, sourceId: true } });
  expect(left).toEqual([{ reason: 'was held', sourceId: null }]);
  expect(await db().decision.count()).toBe(0);
  expect(await db().rule.count()).toBe(0);
  expect(await product.messages(channelId)).toEqual([]);
});

test('a server that its account disconnects at the same moment is offered to nobody', async () => {
  const holder = await databasePool().connect();
  try {
    await holder.query('begin; delete from discord_server');
    const asked = product.installBot('mira', guildId);
    await untilBlocked(1);
    await holder.query('commit');
    expect(await asked).toBe(TAKEN);
  } finally {
    holder.release();
  }
  expect(await takeovers('mira')).toEqual({ wanted: [], asked: [] });
});
