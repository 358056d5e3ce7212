import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { spaceBotCalls } from '../calls/call-gate';
import { lastSeenChannels } from '../servers/read-guild';
import { refreshServer } from './refresh-server';

const SEND_MESSAGES = String(1n << 11n);
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  spaceBotCalls();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(() => pipeline.clear());

const product = () => pipeline.story.product;
const server = () => db().discordServer.findFirstOrThrow();
const check = (id: string) => product().call('mira', 'POST', `/api/app/rules/${id}/check`);
const reads = async () => {
  const { calls } = await product().control('discord', 'GET', '/calls');
  return calls['GET /guilds/:id/channels'] ?? 0;
};

describe('what was read less than ten seconds ago', () => {
  test('is used again by saves and the page', async () => {
    await pipeline.rule();
    await pipeline.rule();
    await product().call('mira', 'GET', '/api/app/discord/server');
    expect(await reads()).toBe(1);
  });

  test('is read anew when somebody checks a rule, because they may just have opened its channel', async () => {
    const { id } = await pipeline.rule();
    const overwrite = `/channels/${pipeline.story.channel('tasks')}/overwrite`;
    await product().control('discord', 'PUT', overwrite, { deny: SEND_MESSAGES });
    expect((await check(id)).body.health).toMatchObject({ state: 'blocked' });
    await product().control('discord', 'PUT', overwrite, {});
    expect((await check(id)).body.health).toMatchObject({ state: 'idle' });
  });

  test('is read again when it was being read while somebody opened the channel', async () => {
    const { id } = await pipeline.rule();
    const overwrite = `/channels/${pipeline.story.channel('tasks')}/overwrite`;
    await product().control('discord', 'PUT', overwrite, { deny: SEND_MESSAGES });
    await pipeline.lookAnew();
    const before = await reads();
    // A reading asks for the threads after the channels.
    pipeline.fault({ target: 'discord', match: 'GET .*/threads/active', kind: 'slow', delayMs: 9000 });
    const reading = refreshServer(await server());
    await expect.poll(reads).toBe(before + 1);
    await product().control('discord', 'PUT', overwrite, {});
    expect((await check(id)).body.health).toMatchObject({ state: 'idle' });
    product().sandbox.context.faults.release();
    expect((await reading).find(({ id: each }) => each === pipeline.story.channel('tasks'))).toMatchObject({
      accessProblem: null,
    });
  });

  test('is read again when it was being read while somebody installed the bot again', async () => {
    const overwrite = `/channels/${pipeline.story.channel('tasks')}/overwrite`;
    await product().control('discord', 'PUT', overwrite, { deny: SEND_MESSAGES });
    await pipeline.lookAnew();
    pipeline.fault({ target: 'discord', match: 'GET .*/threads/active', kind: 'slow', delayMs: 9000 });
    const before = await reads();
    const reading = refreshServer(await server());
    await expect.poll(reads).toBe(before + 1);
    await product().control('discord', 'PUT', overwrite, {});
    await db().discordServer.updateMany({ data: { channelsCheckedAt: new Date() } });
    const installing = product().installBot('mira', pipeline.story.guild.id);
    await expect.poll(async () => (await server()).channelsCheckedAt).toEqual(new Date(0));
    product().sandbox.context.faults.release();
    await Promise.all([reading, installing]);
    const tasks = lastSeenChannels(await server()).find(({ id }) => id === pipeline.story.channel('tasks'));
    expect(tasks).toMatchObject({ accessProblem: null });
  });

  test('is read once for all simultaneous callers', async () => {
    const asked = await server();
    const seen = await Promise.all(Array.from({ length: 10 }, () => refreshServer(asked)));
    expect(new Set(seen.map(({ length }) => length)).size).toBe(1);
    expect(await reads()).toBe(1);
  });

  test('is awaited while another process reads it, and read again if that process dies', async () => {
    await db().$executeRaw`update discord_server set reading_since = now() - interval '1 second'`;
    const seen = refreshServer(await server());
    await db()
      .$executeRaw`update discord_server set reading_since = null, channels_checked_at = now() - interval '1 second'`;
    expect((await seen).length).toBeGreaterThan(0);
    expect(await reads()).toBe(0);
    await pipeline.lookAnew();
    await db().$executeRaw`update discord_server set reading_since = now() - interval '1 minute'`;
    await refreshServer(await server());
    expect(await reads()).toBe(1);
  });

  test('never gets a time in the future, which would make it look outdated', async () => {
    await db().$executeRaw`
      create function refuse_future() returns trigger language plpgsql as 'begin raise ''stamped too late''; end'`;
    await db().$executeRaw`
      create trigger no_future before update on discord_server for each row
      when (new.reading_since > now() or new.channels_checked_at > now()) execute function refuse_future()`;
    try {
      const asked = await server();
      for (let reading = 0; reading < 12; reading += 1) {
        await pipeline.lookAnew();
        await refreshServer(asked);
      }
      expect(await reads()).toBe(12);
    } finally {
      await db().$executeRaw`drop function refuse_future cascade`;
    }
  });

  test('is too old for a channel that was deleted since: a rule for it is refused', async () => {
    const { id: guild } = pipeline.story.guild;
    const made = await product().control('discord', 'POST', `/guilds/${guild}/channels`, {
      name: 'short-lived',
    });
    await pipeline.rule({ channelId: made.id });
    await product().control('discord', 'DELETE', `/channels/${made.id}`);
    await pipeline.lookAnew();
    await expect(pipeline.rule({ channelId: made.id })).rejects.toThrow('not_found');
  });
});

describe('a refusal of a server’s routes', () => {
  const refuse = (status: number) =>
    pipeline.fault({ target: 'discord', match: 'GET .*/guilds/', kind: 'fail', status, times: 0 });
  const invalid = async () => (await product().control('discord', 'GET', '/calls')).invalidAnswers;
  const letPass = (seconds: number) =>
    db().$executeRaw`
      update rate_limit set blocked_until = blocked_until - ${seconds}::int * interval '1 second'`;

  test('with 429 is remembered by all processes, which show the last known channels', async () => {
    await pipeline.rule();
    await pipeline.lookAnew();
    refuse(429);
    for (let save = 0; save < 10; save += 1)
      await pipeline.rule({ eventType: 'page_created' }).catch(() => {});
    expect(await db().rule.count()).toBe(10);
    // The stand-in's limit ends after a second.
    expect(await invalid()).toBeLessThan(10);
  });

  test('that repeats is tried less and less often', async () => {
    const asked = await server();
    refuse(429);
    for (let seconds = 0; seconds < 600; seconds += 1) {
      await refreshServer(asked).catch(() => {});
      await letPass(1);
    }
    expect(await invalid()).toBeLessThan(30);
  });

  test('with 403 is remembered for a minute; a check after that asks again', async () => {
    const { id } = await pipeline.rule();
    await pipeline.lookAnew();
    refuse(403);
    await check(id);
    await check(id);
    expect(await invalid()).toBe(3);
    expect((await check(id)).body.health).toMatchObject({ state: 'blocked' });
    product().sandbox.context.faults.clear();
    await letPass(61);
    expect((await check(id)).body.health).toMatchObject({ state: 'idle' });
  });
});
