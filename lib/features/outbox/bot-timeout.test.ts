import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db, runStatement } from '@/lib/db/database';
import { Channels } from '@/lib/testing/channels';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { addCardsOfRule } from '@/lib/testing/waiting-cards';
import { HOUR_MS } from '@/lib/time';
import { blockCallsSql, channelLimit } from '../calls/call-limits';
import { BOT_TIMED_OUT } from '../calls/discord-refusal';

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
