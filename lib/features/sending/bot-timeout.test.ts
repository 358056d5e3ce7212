import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db, runStatement } from '@/lib/db/database';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { Channels } from '@/lib/testing/channels';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { addCardsOfRule } from '@/lib/testing/waiting-cards';
import { whileLocked } from '@/lib/testing/while-locked';
import { HOUR_MS, SECOND_MS } from '@/lib/time';
import { blockCallsSql, channelLimit } from '../calls/call-limits';
import { BOT_TIMED_OUT } from '../calls/discord-refusal';
import { noteRefusal, refusedChannel } from '../calls/route-refusals';
import { readGuild } from '../servers/read-guild';

let pipeline: Pipeline;
let channels: Channels;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  channels = new Channels(pipeline);
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await timeOut(null);
  await pipeline.clear();
});

const product = () => pipeline.story.product;
const timeOut = (until: Date | null) =>
  product().control('discord', 'PUT', `/guilds/${pipeline.story.guild.id}/bot/timeout`, {
    until: until?.toISOString() ?? null,
  });
const check = (ruleId: string) => product().call('mira', 'POST', `/api/app/rules/${ruleId}/check`);
const sends = async () => {
  const { calls } = await product().control('discord', 'GET', '/calls');
  return calls['POST /channels/:id/messages'] ?? 0;
};
const reasons = async () => {
  const rows = await db().message.findMany({ orderBy: { sequence: 'asc' } });
  return rows.map(({ state, reason }) => `${state}: ${reason?.slice(0, 40)}`);
};
const WAITS = `waiting: ${BOT_TIMED_OUT.slice(0, 40)}`;

test('a card in a server where the bot is timed out waits for the end with those behind it, and shows why', async () => {
  await timeOut(new Date(Date.now() + HOUR_MS));
  await channels.waiting('tasks', 'one', 'two');
  await channels.drain();
  expect(await reasons()).toEqual([WAITS, WAITS]);
  await db().channelTurn.updateMany({ data: { dueAt: new Date() } });
  await channels.drain();
  expect(await sends()).toBe(1);
  expect(await db().channelProblem.count()).toBe(0);
});

test('a card that Discord refused at the very end of a timeout is tried again', async () => {
  await timeOut(new Date(Date.now() - SECOND_MS));
  await channels.waiting('tasks', 'one', 'two');
  const refused = { kind: 'fail', match: 'POST .*/messages', status: 403, code: 50013 } as const;
  pipeline.fault({ target: 'discord', ...refused });
  await channels.drain();
  await db().channelTurn.updateMany({ data: { dueAt: new Date() } });
  await channels.drain();
  expect(await channels.contents('tasks')).toEqual(['one', 'two']);
  expect(await channels.states()).toEqual(Array(2).fill(['sent', null]));
  expect(await db().channelProblem.count()).toBe(0);
});

test('a card that Discord refused waits while nobody can see whether the bot is timed out', async () => {
  await channels.waiting('tasks', 'one', 'two');
  await timeOut(new Date(Date.now() + HOUR_MS));
  pipeline.fault({ target: 'discord', kind: 'fail', match: 'GET .*/guilds', status: 503, times: 0 });
  await channels.drain();
  expect((await channels.states()).map(([state]) => state)).toEqual(['waiting', 'waiting']);
  product().sandbox.context.faults.clear();
  await timeOut(null);
  await db().message.updateMany({ data: { notBefore: null } });
  await db().channelTurn.updateMany({ data: { dueAt: new Date() } });
  await channels.drain();
  expect(await channels.contents('tasks')).toEqual(['one', 'two']);
  expect(await db().channelProblem.count()).toBe(0);
});

test('while the timeout is known, no card is tried; a check after it was lifted releases them', async () => {
  const rule = await channels.waiting('tasks', 'one');
  await timeOut(new Date(Date.now() + HOUR_MS));
  await pipeline.lookAnew();
  await check(rule);
  await addCardsOfRule(rule, ['two']);
  await channels.drain();
  expect(await reasons()).toEqual([WAITS, WAITS]);
  expect(await sends()).toBe(0);
  await timeOut(null);
  await pipeline.lookAnew();
  await check(rule);
  await channels.drain();
  expect(await channels.contents('tasks')).toEqual(['one', 'two']);
  expect(await channels.states()).toEqual(Array(2).fill(['sent', null]));
});

test('a card that failed before a timeout of days is tried again for a day after it', async () => {
  const rule = await channels.waiting('tasks', 'failed before');
  const longAgo = new Date(Date.now() - 25 * HOUR_MS);
  await db().message.updateMany({ data: { triedAt: longAgo, postponedAt: longAgo } });
  await timeOut(new Date(Date.now() + HOUR_MS));
  await channels.drain();
  expect(await reasons()).toEqual([WAITS]);
  await timeOut(null);
  await pipeline.lookAnew();
  await check(rule);
  pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 503 });
  await channels.drain();
  expect(await reasons()).toEqual(['waiting: Discord had a problem of its own (503).']);
});

test('a card that Discord took just before the timeout leaves the channel free once that was lifted', async () => {
  const rule = await channels.waiting('tasks', 'one');
  await timeOut(new Date(Date.now() + HOUR_MS));
  await pipeline.lookAnew();
  await check(rule);
  const key = channelLimit(pipeline.story.channel('tasks'));
  await runStatement(blockCallsSql([{ key, until: performance.now() }]));
  await timeOut(null);
  await pipeline.lookAnew();
  await check(rule);
  await channels.drain();
  expect(await channels.contents('tasks')).toEqual(['one']);
});

test('a card that Discord limited just as the timeout was seen leaves the channel free once that was lifted', async () => {
  const rule = await channels.waiting('tasks', 'one');
  await timeOut(new Date(Date.now() + HOUR_MS));
  await pipeline.lookAnew();
  await check(rule);
  const key = channelLimit(pipeline.story.channel('tasks'));
  await noteRefusal(key, new DiscordError(429, 0, 'limited'), 1);
  await timeOut(null);
  await pipeline.lookAnew();
  await check(rule);
  await channels.drain();
  expect(await channels.contents('tasks')).toEqual(['one']);
});

describe('what a timeout that was lifted has left behind ends', () => {
  /** A rule's card that waits for the end of a timeout. Returns the rule's id. */
  async function timedOut(hours: number): Promise<string> {
    const rule = await channels.waiting('tasks', 'one');
    await timeOut(new Date(Date.now() + hours * HOUR_MS));
    await checkAnew(rule);
    await channels.drain();
    expect(await reasons()).toEqual([WAITS]);
    return rule;
  }

  async function checkAnew(ruleId: string): Promise<void> {
    await pipeline.lookAnew();
    expect((await check(ruleId)).status).toBe(200);
  }

  test('although the process that read of its end died before it had released anything', async () => {
    const rule = await timedOut(24);
    await timeOut(null);
    await pipeline.lookAnew();
    await readGuild(await db().discordServer.findFirstOrThrow());
    await check(rule);
    await channels.drain();
    expect(await channels.contents('tasks')).toEqual(['one']);
  });

  test('although another process had just read of it, and sets out to wait for its end afterwards', async () => {
    const rule = await timedOut(24);
    await timeOut(new Date(Date.now() + HOUR_MS));
    let checked: Promise<unknown> | undefined;
    await whileLocked('select 1 from message for update', async (blocked) => {
      checked = check(rule);
      await blocked(1);
      await timeOut(null);
      await pipeline.lookAnew();
      await readGuild(await db().discordServer.findFirstOrThrow());
    });
    await checked;
    await channels.drain();
    expect(await channels.contents('tasks')).toEqual(['one']);
  });

  test('although the rule has left the channel meanwhile, and another one comes later', async () => {
    const { id, channelName: _, ...made } = await pipeline.rule();
    await timeOut(new Date(Date.now() + HOUR_MS));
    await checkAnew(id);
    const body = { ...made, channelId: pipeline.story.channel('general'), dbType: undefined };
    expect((await product().call('mira', 'PUT', `/api/app/rules/${id}`, body)).status).toBe(200);
    await timeOut(null);
    await checkAnew(id);
    await channels.waiting('tasks', 'two');
    await channels.drain();
    expect(await channels.contents('tasks')).toEqual(['two']);
  });

  test('although the server was disconnected before it was lifted, and connected again after', async () => {
    await timedOut(1);
    expect((await product().call('mira', 'DELETE', '/api/app/discord/server')).status).toBe(200);
    await timeOut(null);
    await product().installBot('mira', pipeline.story.guild.id);
    await channels.waiting('tasks', 'two');
    await channels.drain();
    expect(await channels.contents('tasks')).toEqual(['two']);
  });

  test('although a turn that was under way then set out to wait for its end afterwards', async () => {
    const rule = await timedOut(24);
    const [turn] = await db().channelTurn.findMany();
    await timeOut(null);
    await checkAnew(rule);
    await db().channelTurn.updateMany({ data: { dueAt: turn?.dueAt } });
    await checkAnew(rule);
    await channels.drain();
    expect(await channels.contents('tasks')).toEqual(['one']);
  });

  test('when it was shortened, as far as it lasts longer than the timeout does now', async () => {
    const rule = await timedOut(24);
    const until = new Date(Date.now() + HOUR_MS);
    await timeOut(until);
    await checkAnew(rule);
    await channels.drain();
    expect(await reasons()).toEqual([WAITS]);
    expect(await db().message.findMany()).toEqual([expect.objectContaining({ notBefore: until })]);
    expect(await db().rateLimit.findMany({ where: { status: 403 } })).toEqual([
      expect.objectContaining({ blockedUntil: until }),
    ]);
    const [turn] = await db().channelTurn.findMany();
    expect(turn?.dueAt.getTime()).toBeLessThan(until.getTime() + 1000);
  });

  test('and refusals and limits that have nothing to do with it do not', async () => {
    const rule = await timedOut(1);
    const tasks = pipeline.story.channel('tasks');
    const blockedUntil = new Date(Date.now() + HOUR_MS);
    const others = [
      { key: refusedChannel(tasks), status: 403, code: 50013, blockedUntil },
      { key: `discord:POST /channels/${tasks}/messages`, status: 403, code: 50013, blockedUntil },
      { key: channelLimit(pipeline.story.channel('bugs')), status: 429, blockedUntil },
    ];
    await db().rateLimit.createMany({ data: others });
    await timeOut(null);
    await checkAnew(rule);
    const left = await db().rateLimit.findMany({ where: { blockedUntil: { gt: new Date() } } });
    expect(left.map(({ key }) => key).sort()).toEqual(others.map(({ key }) => key).sort());
  });
});
