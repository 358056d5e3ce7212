import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db, transaction } from '@/lib/db/database';
import { fillTimes, timeAfterSending } from '@/lib/discord-text';
import { sendMessage } from '@/lib/integrations/discord/discord-messages';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { toggleKey } from '@/lib/testing/toggle-key';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { sealMessage } from '../messages/sealed-body';
import { findChannel, forgetConversations, leaseConversation, releaseConversation } from './conversation';
import type { EndedDirect } from './direct-message';
import { queueDirect } from './queue-direct';
import { sendDirect } from './send-direct';

const MIRA = '208917000000000101';
// She shares no server with the bot any more, so that Discord refuses its messages to her (50278).
const VERA = '208917000000000103';
const OPEN = 'POST .*/users/@me/channels';
const POST = 'POST .*/messages';

let pipeline: Pipeline;
let accountId: string;
let told = 0;
let ended: EndedDirect[] = [];

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  accountId = (await db().account.findFirstOrThrow({ where: { discordUserId: MIRA } })).id;
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.clear();
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
  told = (await letters(0)).length;
  ended = [];
});

const control = (method: string, path: string) => pipeline.story.product.control('discord', method, path);

/** What the bot has written to Mira since the test began. */
async function letters(since = told): Promise<string[]> {
  const { messages } = await control('GET', `/direct-messages/${MIRA}`);
  return messages.slice(since).map(({ content }: { content: string }) => content);
}

const calls = async (call: string): Promise<number> => (await control('GET', '/calls')).calls[call] ?? 0;

/** Queues a message, and returns its conversation. */
async function queue(
  content: string,
  { to = MIRA, sourceId = accountId, at = new Date(), by = accountId } = {},
) {
  const message = { accountId: by, discordUserId: to, key: content, at, sourceId, body: { content } };
  await transaction((tx) => queueDirect(tx, message));
  const person = { accountId: by, discordUserId: to };
  return (await db().conversation.findUniqueOrThrow({ where: { accountId_discordUserId: person } })).id;
}

/** One run of the job that sends. */
const run = (conversationId: string) =>
  sendDirect({ conversationId }, [
    async (_tx, each) => {
      ended.push(each);
    },
  ]);

/** Runs the job as long as it wants to go on at once. */
async function drain(conversationId: string) {
  for (;;) {
    const outcome = await run(conversationId);
    if (!('retryInMs' in outcome && outcome.retryInMs === 0)) return outcome;
  }
}

const rows = () => db().message.findMany({ where: { kind: 'direct' }, orderBy: { sequence: 'asc' } });

/** Lets ten minutes pass since the attempts that were made. */
async function forgetNonces(): Promise<void> {
  await db().$executeRaw`
    update message set tried_at = tried_at - interval '10 minutes', not_before = null where state = 'waiting'`;
  const clock = `${pipeline.story.product.sandbox.context.urls.discord}/_sandbox/clock`;
  await fetch(clock, { method: 'POST', body: JSON.stringify({ advanceMs: 10 * MINUTE_MS }) });
}

const tryAgain = () => db().message.updateMany({ where: { state: 'waiting' }, data: { notBefore: null } });

test('what is said to a person leaves in its order, sealed until then, and counts for no plan', async () => {
  await db().account.updateMany({ data: { trialEndsAt: new Date(0) } });
  const id = await queue('one');
  await queue('two');
  expect((await rows())[0]?.sealedBody).not.toContain('one');
  await queue('three');
  expect(await drain(id)).toEqual({ done: true });
  expect(await letters()).toEqual(['one', 'two', 'three']);
  const sent = {
    state: 'sent',
    sealedBody: null,
    usagePeriodStart: null,
    discordMessageId: expect.any(String),
  };
  expect(await rows()).toMatchObject([sent, sent, sent]);
  expect(await db().usagePeriod.count()).toBe(0);
  expect(ended.map(({ isSent }) => isSent)).toEqual([true, true, true]);
  // The channel is remembered.
  expect(await calls('POST /users/@me/channels')).toBe(1);
});

test('the same news is queued once', async () => {
  const at = new Date();
  const id = await queue('news', { at });
  await queue('news', { at });
  await drain(id);
  await queue('news', { at });
  await drain(id);
  expect(await letters()).toEqual(['news']);
});

describe('a message that may have been posted', () => {
  test('is known by its nonce when it is sent again soon', async () => {
    const id = await queue('hung up');
    pipeline.fault({ target: 'discord', match: POST, kind: 'hangup' });
    expect(await run(id)).toEqual({ retryInMs: expect.any(Number) });
    expect((await rows())[0]).toMatchObject({
      state: 'waiting',
      attempts: 1,
      reason: 'Discord did not answer.',
    });
    await tryAgain();
    await drain(id);
    expect(await letters()).toEqual(['hung up']);
    expect(ended).toHaveLength(1);
  });

  test('is looked for before it is sent again late', async () => {
    const id = await queue('lost and found');
    pipeline.fault({ target: 'discord', match: POST, kind: 'hangup' });
    await run(id);
    await forgetNonces();
    await drain(id);
    expect(await letters()).toEqual(['lost and found']);
    expect((await rows())[0]).toMatchObject({ state: 'sent', discordMessageId: expect.any(String) });
    expect(ended).toHaveLength(1);
  });

  test('is recognised by the times that were written in it then', async () => {
    const text = `until ${timeAfterSending(60)}`;
    const id = await queue(text);
    const conversation = await leaseConversation(id);
    if (!conversation || 'busyForMs' in conversation) throw new Error('no conversation');
    const channelId = String(await findChannel(conversation));
    await releaseConversation(conversation);
    const triedAt = new Date(Date.now() - 10 * MINUTE_MS);
    await db().message.updateMany({ data: { triedAt } });
    const earlier = { content: fillTimes(text, triedAt), nonce: 'earlier' };
    await sendMessage(channelId, earlier, { accountId });
    await drain(id);
    expect(await letters()).toHaveLength(1);
    expect((await rows())[0]).toMatchObject({ state: 'sent', triedAt });
  });

  test('and was not says the times of the attempt that posted it', async () => {
    const id = await queue(`from ${timeAfterSending(60)}`);
    pipeline.fault({ target: 'discord', match: POST, kind: 'fail', status: 503 });
    await run(id);
    await forgetNonces();
    await drain(id);
    const seconds = Number(/^from <t:(\d+):F>$/.exec((await letters())[0] ?? '')?.[1]);
    const [sent] = await rows();
    expect(seconds).toBe(Math.floor((sent?.triedAt?.getTime() ?? 0) / SECOND_MS) + 60);
    expect(sent?.triedAt?.getTime()).toBeGreaterThan(Date.now() - MINUTE_MS);
    expect(ended).toEqual([{ sourceId: accountId, isSent: true, at: sent?.triedAt }]);
  });

  test('is posted once, and followed up once, when two workers have it', async () => {
    const id = await queue('twice');
    pipeline.fault({ target: 'discord', match: POST, kind: 'slow', delayMs: 9000 });
    const first = run(id);
    await expect.poll(() => calls('POST /channels/:id/messages')).toBe(1);
    expect(await run(id)).toEqual({ retryInMs: expect.any(Number) });
    // The first worker is taken for dead.
    await db().conversation.updateMany({ data: { leasedUntil: new Date(0) } });
    await drain(id);
    pipeline.story.product.sandbox.context.faults.release();
    await first;
    expect(await letters()).toEqual(['twice']);
    expect(await rows()).toMatchObject([{ state: 'sent' }]);
    expect(ended).toHaveLength(1);
  });
});

describe('a message that Discord does not take', () => {
  test('fails with the reason when the person takes none, and the next one is tried', async () => {
    const id = await queue('one', { to: VERA });
    await queue('two', { to: VERA });
    await run(id);
    const reason = 'The person shares no server with the bot.';
    expect(await rows()).toMatchObject([{ state: 'failed', reason, triedAt: null }, { state: 'waiting' }]);
    await drain(id);
    expect(await rows()).toMatchObject([{ state: 'failed' }, { state: 'failed', reason }]);
    expect(ended.map(({ isSent }) => isSent)).toEqual([false, false]);
    expect(await drain(id)).toEqual({ done: true });
  });

  test('is tried again later and later, those behind it wait, and after a day it is given up', async () => {
    pipeline.fault({ target: 'discord', match: OPEN, kind: 'fail', status: 503, times: 0 });
    const id = await queue('one');
    await queue('two');
    expect(await drain(id)).toEqual({ retryInMs: expect.any(Number) });
    await tryAgain();
    await drain(id);
    expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 2 }, { attempts: 0 }]);
    await db().$executeRaw`
      update message set postponed_at = now() - interval '25 hours', not_before = null where attempts = 2`;
    await run(id);
    expect(await rows()).toMatchObject([{ state: 'failed', attempts: 3 }, { state: 'waiting' }]);
    pipeline.story.product.sandbox.context.faults.clear();
    await drain(id);
    expect(await letters()).toEqual(['two']);
  });

  test('because of an error of our own is tried again later, and after a day lets those behind it pass', async () => {
    const id = await queue('broken');
    await queue('behind');
    const [broken] = await rows();
    const sealedBody = sealMessage(broken?.id ?? '', { content: 7 as unknown as string });
    await db().message.updateMany({ where: { id: broken?.id ?? '' }, data: { sealedBody } });
    expect(await drain(id)).toEqual({ retryInMs: expect.any(Number) });
    const reason = 'Pagewire had a problem of its own.';
    expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 1, reason }, { attempts: 0 }]);
    await db().$executeRaw`
      update message set postponed_at = now() - interval '25 hours', not_before = null where attempts = 1`;
    await drain(id);
    expect(await rows()).toMatchObject([{ state: 'failed', reason }, { state: 'sent' }]);
    expect(await letters()).toEqual(['behind']);
  });

  test('waits while the network edge in front of Discord blocks us', async () => {
    const id = await queue('one');
    pipeline.fault({ target: 'discord', match: POST, kind: 'block' });
    await drain(id);
    expect((await rows())[0]).toMatchObject({ state: 'waiting', attempts: 1 });
    await tryAgain();
    await drain(id);
    expect(await letters()).toEqual(['one']);
  });

  test('waits as long as Discord says when that is a limit', async () => {
    const id = await queue('limited');
    pipeline.fault({ target: 'discord', match: POST, kind: 'fail', status: 429 });
    expect(await drain(id)).toEqual({ retryInMs: expect.any(Number) });
    expect((await rows())[0]).toMatchObject({ state: 'waiting', attempts: 0 });
    await drain(id);
    expect(await letters()).toEqual(['limited']);
  });

  test('goes to the channel that Discord names when the remembered one is gone', async () => {
    const id = await queue('moved');
    await db().conversation.updateMany({ data: { channelId: '1400000000000000009' } });
    await drain(id);
    expect(await letters()).toEqual(['moved']);
  });

  test('waits for a process that has its key', async () => {
    const id = await queue('sealed');
    await toggleKey('message', 'sealed_body');
    expect(await drain(id)).toEqual({ retryInMs: expect.any(Number) });
    expect((await rows())[0]?.reason).toMatch(/^Pagewire is changing its encryption keys\./);
    await toggleKey('message', 'sealed_body');
    await tryAgain();
    await drain(id);
    expect(await letters()).toEqual(['sealed']);
  });
});

describe('a message that is not wanted any more', () => {
  test('is dropped when what it is sent for is gone, and what waits behind it is sent', async () => {
    const { id: sourceId } = await db().channelProblem.create({
      data: { channelId: '1', reason: 'refused' },
    });
    const id = await queue('refused', { sourceId });
    await queue('behind it');
    await db().channelProblem.deleteMany();
    await drain(id);
    expect(await letters()).toEqual(['behind it']);
    expect(await rows()).toHaveLength(1);
    expect(ended).toHaveLength(1);
  });

  test('goes with its account, and what is on its way then is not sent again', async () => {
    const { product } = pipeline.story;
    await product.call('jonas', 'GET', '/api/app/me');
    const jonas = await db().account.findFirstOrThrow({ where: { id: { not: accountId } } });
    const at = new Date();
    const body = { content: 'of an account that is gone' };
    const message = { accountId: jonas.id, discordUserId: MIRA, key: 'gone', at, sourceId: jonas.id, body };
    await transaction((tx) => queueDirect(tx, message));
    const { id } = await db().conversation.findFirstOrThrow({ where: { accountId: jonas.id } });
    pipeline.fault({ target: 'discord', match: OPEN, kind: 'slow', delayMs: 9000 });
    const sending = run(id);
    await expect.poll(() => calls('POST /users/@me/channels')).toBe(1);
    expect((await product.call('jonas', 'DELETE', '/api/app/account')).status).toBe(200);
    product.sandbox.context.faults.release();
    await sending;
    expect(await run(id)).toEqual({ done: true });
    expect(await letters()).toEqual([]);
    expect(await rows()).toEqual([]);
    expect(await db().conversation.count()).toBe(0);
  });
});

test('conversations are opened ten at once, and then one each 15 seconds', async () => {
  const people = Array.from({ length: 12 }, (_, index) => `20891700000000${9000 + index}`);
  const waits = [];
  for (const to of people) {
    const outcome = await drain(await queue(`to ${to}`, { to }));
    waits.push('retryInMs' in outcome ? Math.ceil(outcome.retryInMs / (15 * SECOND_MS)) : 0);
  }
  // None of these conversations is open yet: ten may be opened at once.
  expect(waits).toEqual([...Array(10).fill(0), 1, 2]);
  expect(await calls('POST /users/@me/channels')).toBe(10);
  expect((await rows()).filter(({ state }) => state === 'waiting')).toHaveLength(2);
});

test('accounts take turns at opening conversations, whoever came first and at whatever moment', async () => {
  await pipeline.story.product.call('jonas', 'GET', '/api/app/me');
  await pipeline.story.product.call('vera', 'GET', '/api/app/me');
  const others = await db().account.findMany({ where: { id: { not: accountId } }, orderBy: { id: 'asc' } });
  const [b = '', c = ''] = others.map(({ id }) => id);
  const letter = new Map([
    [accountId, 'A'],
    [b, 'B'],
    [c, 'C'],
  ]);
  let person = 9100;
  const want = async (by: string, count: number) => {
    const to = () => `20891700000000${person++}`;
    const ids = [];
    for (let one = 0; one < count; one += 1) ids.push(await queue(`to ${person}`, { by, to: to() }));
    await Promise.all(ids.map(run));
  };
  const turns = async () => {
    const waiting = await db().conversation.findMany({
      where: { channelId: null, openAt: { gt: new Date() } },
      orderBy: { openAt: 'asc' },
    });
    expect(new Set(waiting.map(({ openAt }) => openAt?.getTime())).size).toBe(waiting.length);
    return waiting.map((each) => letter.get(each.accountId)).join('');
  };
  await want(accountId, 10 + 6);
  expect(await turns()).toBe('AAAAAA');
  await want(b, 3);
  expect(await turns()).toBe('ABABABAAA');
  await want(c, 2);
  expect(await turns()).toBe('ABCABCABAAA');
  await want(accountId, 1);
  expect(await turns()).toBe('ABCABCABAAAA');
});

test('nobody is written to for ten minutes after Discord said that it was too fast', async () => {
  await pipeline.story.product.call('jonas', 'GET', '/api/app/me');
  const jonas = await db().account.findFirstOrThrow({ where: { discordUserId: { not: MIRA } } });
  const names = new Map<string, string>();
  const queueNamed = async (name: string, to: string, by = accountId) => {
    const id = await queue(name, { to, by });
    names.set(id, name);
    return id;
  };
  const want = async (name: string, to: string, by = accountId) => drain(await queueNamed(name, to, by));
  const tooFast = async (id: string) => {
    await pipeline.story.product.control('discord', 'PUT', '/conversations', { areTooMany: true });
    await db().conversation.update({ where: { id }, data: { openAt: new Date(0) } });
    expect(await drain(id)).toEqual({ retryInMs: 10 * MINUTE_MS });
    await pipeline.story.product.control('discord', 'PUT', '/conversations', { areTooMany: false });
  };
  /** Who is in line, each with the seconds after the first. */
  const inLine = async () => {
    const waiting = await db().conversation.findMany({
      where: { channelId: null, openAt: { gt: new Date() } },
      orderBy: { openAt: 'asc' },
    });
    const times = waiting.map(({ openAt }) => openAt?.getTime() ?? 0);
    return waiting.map(({ id }, index) => [
      names.get(id),
      Math.round(((times[index] ?? 0) - (times[0] ?? 0)) / SECOND_MS),
    ]);
  };
  for (let one = 0; one < 10; one += 1) await want('at once', `20891700000000${9200 + one}`);
  await want('second', '208917000000009210');
  await want('third', '208917000000009211');
  const first = await queueNamed('too fast', MIRA);
  await tooFast(first);
  expect(await inLine()).toEqual([
    ['too fast', 0],
    ['second', 15],
    ['third', 30],
  ]);
  await want('of another account', '208917000000009212', jonas.id);
  expect(await inLine()).toEqual([
    ['too fast', 0],
    ['of another account', 15],
    ['second', 30],
    ['third', 45],
  ]);
  await tooFast(await queueNamed('too fast as well', MIRA, jonas.id));
  await want('last', '208917000000009213');
  expect(await inLine()).toEqual([
    ['too fast as well', 0],
    ['too fast', 15],
    ['of another account', 30],
    ['second', 45],
    ['third', 60],
    ['last', 75],
  ]);
  expect(await calls('POST /users/@me/channels')).toBe(10 + 2);
  await db().conversation.updateMany({ data: { openAt: new Date(0) } });
  await drain(first);
  expect(await letters()).toEqual(['too fast']);
});

test('a person is forgotten 30 days after the last message, and not while one waits', async () => {
  const [mira, vera] = [await queue('sent'), await queue('waits', { to: VERA })];
  await drain(mira);
  await db().$executeRaw`update conversation set used_at = now() - interval '31 days'`;
  await forgetConversations();
  expect(await db().conversation.findMany({ select: { id: true } })).toEqual([{ id: vera }]);
});
