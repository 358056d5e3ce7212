import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { db } from '@/lib/db/database';
import { env } from '@/lib/env';
import { listGuildIds } from '@/lib/integrations/discord/discord-guild';
import { listOwnMessages } from '@/lib/integrations/discord/discord-messages';
import { Channels, numbered } from '@/lib/testing/channels';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { addCardsOfRule } from '@/lib/testing/waiting-cards';
import { spaceBotCalls } from './call-gate';
import { openSlots, sharedSlots } from './send-slots';

const HOSTILE = [randomUUID(), randomUUID(), randomUUID()];
const QUIET = randomUUID();

let pipeline: Pipeline;
let channels: Channels;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  channels = new Channels(pipeline);
  spaceBotCalls();
  // Every process makes this call once; make it before the test counts calls.
  await listOwnMessages(QUIET, pipeline.story.channel('bugs'), new Date());
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.rest();
  await pipeline.clear();
});

const product = () => pipeline.story.product;
const books = () => product().control('discord', 'GET', '/calls');
/** A call for an account, like those of "Check again" and of resent cards. */
const call = (accountId: string, channel = 'bugs') =>
  listOwnMessages(accountId, pipeline.story.channel(channel), new Date());

describe('while three accounts keep calls waiting all the time', () => {
  let ended: string[];
  let calls: Promise<unknown>[];
  beforeEach(async () => {
    await product().control('discord', 'PUT', '/limits', { limits: 'on' });
    ended = [];
    // Channels without a known limit or refusal, so that neither slows the calls down.
    calls = HOSTILE.flatMap((account) =>
      Array.from({ length: 40 }, (_, index) =>
        listOwnMessages(account, String(index), new Date())
          .catch(() => {})
          .finally(() => ended.push(account)),
      ),
    );
  });

  test('another account’s cards are sent first, and no call exceeds Discord’s limits', async () => {
    await channels.waiting('tasks', ...numbered(4));
    await channels.waiting('general', ...numbered(4));
    await channels.drain();
    expect(await channels.contents('tasks')).toEqual(numbered(4));
    expect(await channels.contents('general')).toEqual(numbered(4));
    expect(ended.length).toBeLessThan(calls.length);
    await Promise.all(calls);
    expect((await books()).rateLimited).toBe(0);
    await product().control('discord', 'PUT', '/limits', { limits: 'off' });
  });

  test('another account’s single call is made in its turn, not after all of theirs', async () => {
    await expect.poll(() => ended.length).toBeGreaterThan(10);
    const before = ended.length;
    await call(QUIET);
    // At most the calls that had their slots already, and one turn of each account.
    expect(ended.length - before).toBeLessThan(20);
    await Promise.all(calls);
    await product().control('discord', 'PUT', '/limits', { limits: 'off' });
  });
});

test('cards leave the shared slots to other calls while there are enough slots', async () => {
  await channels.waiting('tasks', ...numbered(20));
  await channels.waiting('general', 'one');
  await db().sendSlot.updateMany({ data: { freeAt: new Date(0) } });
  await channels.drain();
  const [{ shared } = { shared: 0 }] = await db().$queryRaw<{ shared: number }[]>`
    select count(*)::int as shared from send_slot where id <= 10 and free_at > 'epoch'`;
  expect(shared).toBe(0);
});

test('there are as many slots as Discord allows calls in a second, and a fifth of them is shared', async () => {
  const before = env().DISCORD_CALLS_PER_SECOND;
  const ids = async () => (await db().sendSlot.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id);
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  for (const limit of [5, 60, before]) {
    Object.assign(env(), { DISCORD_CALLS_PER_SECOND: limit });
    await openSlots();
    expect(await ids()).toEqual(upTo(limit));
    expect(sharedSlots()).toBe(limit / 5);
  }
});

describe('of invalid answers within ten minutes', () => {
  const store = (count: number) =>
    db().invalidAnswer.create({ data: { minute: new Date(Date.now() - 240_000), count } });

  test('each is counted for all processes, except rate limits that others used up', async () => {
    pipeline.fault({ target: 'discord', match: 'GET .*/messages', kind: 'fail', status: 403 });
    await call(QUIET).catch(() => {});
    await channels.waiting('tasks', 'one');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 429 });
    await channels.drain();
    const { _sum } = await db().invalidAnswer.aggregate({ _sum: { count: true } });
    expect(_sum.count).toBe(2);
  });

  test('two thousand let only cards through', async () => {
    await store(2000);
    await channels.waiting('tasks', 'one');
    await channels.drain();
    expect(await channels.contents('tasks')).toEqual(['one']);
    await expect(listGuildIds()).rejects.toMatchObject({ status: 429 });
    expect((await books()).calls['GET /users/@me/guilds']).toBeUndefined();
    await db().invalidAnswer.updateMany({ data: { minute: new Date(Date.now() - 660_000) } });
    await listGuildIds();
  });

  test('five thousand stop all calls for a minute', async () => {
    await store(4999);
    await channels.waiting('tasks', 'one', 'two');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 429 });
    await channels.drain();
    await db().rateLimit.deleteMany({ where: { key: { not: 'discord' } } });
    await db().channelTurn.updateMany({ data: { dueAt: new Date() } });
    await channels.drain();
    expect(await channels.contents('tasks')).toEqual([]);
    expect((await books()).calls['POST /channels/:id/messages']).toBe(1);
    const { blockedUntil } = await db().rateLimit.findUniqueOrThrow({ where: { key: 'discord' } });
    expect(blockedUntil.getTime()).toBeGreaterThan(Date.now() + 30_000);
    await db().rateLimit.deleteMany();
    await channels.drain();
    expect(await channels.contents('tasks')).toEqual(['one', 'two']);
  });
});

test('while the network edge in front of Discord blocks one call, no other is made', async () => {
  pipeline.fault({ target: 'discord', match: 'GET .*/messages', kind: 'block' });
  await expect(call(QUIET)).rejects.toMatchObject({ status: 0 });
  await channels.waiting('tasks', 'one');
  await channels.drain();
  expect(await channels.contents('tasks')).toEqual([]);
  await expect(call(QUIET, 'general')).rejects.toMatchObject({ isTransient: true });
  await db().rateLimit.deleteMany();
  await channels.drain();
  expect(await channels.contents('tasks')).toEqual(['one']);
});

describe('calls from a bundle of Next’s, which has copies of all modules', () => {
  const failAlways = () =>
    pipeline.fault({
      ...{ target: 'discord', match: 'GET .*/messages', times: 0 },
      ...{ kind: 'fail', status: 429, retryAfterSeconds: 60 },
    });

  async function callFromBundle(): Promise<unknown> {
    const copy = await import('@/lib/integrations/discord/discord-messages');
    return copy.listOwnMessages(QUIET, pipeline.story.channel('bugs'), new Date()).catch((error) => error);
  }

  beforeEach(async () => {
    vi.resetModules();
    await callFromBundle();
    await product().control('discord', 'DELETE', '/calls');
  });

  test('are counted and not repeated when Discord refuses them', async () => {
    failAlways();
    for (let count = 0; count < 5; count += 1) await callFromBundle();
    expect((await books()).invalidAnswers).toBe(1);
    expect(await db().invalidAnswer.findFirst()).toMatchObject({ count: 1 });
  });

  test('know the refusal that another bundle was given', async () => {
    failAlways();
    await expect(call(QUIET)).rejects.toMatchObject({ status: 429 });
    const copy = await import('@/lib/integrations/discord/discord-request');
    expect(await callFromBundle()).toBeInstanceOf(copy.DiscordError);
    expect((await books()).invalidAnswers).toBe(1);
  });
});

/** Lets so much time pass for limits and for the turns that wait for them. */
async function pass(seconds: number): Promise<void> {
  await db().$executeRaw`
    update rate_limit set blocked_until = blocked_until - make_interval(secs => ${seconds})`;
  await db().$executeRaw`
    update channel_turn set due_at = due_at - make_interval(secs => ${seconds}) where leased_until < now()`;
}

describe('limits that Discord answers with, without a word in its headers, last as long as it says', () => {
  const limit = { kind: 'fail', status: 429, retryAfterSeconds: 60 } as const;
  const RETRY_AFTER = 60.1;

  test('for cards, while it takes others in between', async () => {
    const rule = await channels.waiting('tasks', 'card 1');
    for (let count = 1; count <= 4; count += 1) {
      if (count > 1) await addCardsOfRule(rule, [`card ${count}`]);
      pipeline.fault({ target: 'discord', match: 'POST .*/messages', ...limit });
      await channels.drain();
      expect(await channels.contents('tasks')).toEqual(numbered(count - 1));
      await pass(RETRY_AFTER);
      await channels.drain();
      expect(await channels.contents('tasks')).toEqual(numbered(count));
    }
  });

  test('for other calls, while it takes others in between', async () => {
    for (let count = 1; count <= 4; count += 1) {
      pipeline.fault({ target: 'discord', match: 'GET .*/messages', ...limit });
      await expect(call(QUIET)).rejects.toMatchObject({ status: 429 });
      await pass(RETRY_AFTER);
      await call(QUIET);
    }
  });
});

test('a channel that answers every card with 429 is called less and less often', async () => {
  await channels.waiting('tasks', 'one');
  pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 429, times: 0 });
  for (let seconds = 0; seconds < 600; seconds += 1) {
    await pass(1);
    await channels.drain();
  }
  expect((await books()).invalidAnswers).toBeLessThan(12);
});
