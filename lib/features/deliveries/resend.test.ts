import { PermissionFlagsBits } from 'discord-api-types/v10';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import type { AppError } from '@/lib/errors';
import { numbered } from '@/lib/testing/channels';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { addCardsOfRule } from '@/lib/testing/waiting-cards';
import { HOUR_MS } from '@/lib/time';
import { resendDelivery } from './resend';

let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.rest();
  await pipeline.clear();
});

const owner = () => db().account.findFirstOrThrow({ where: { discordUserId: '208917000000000101' } });
const contents = async () => (await pipeline.cards()).map(({ content }) => content);
const used = async () =>
  (await pipeline.story.product.call('mira', 'GET', '/api/app/me')).body.subscription.notificationsUsed;

/** A rule with a card that failed, and cards that wait behind it. */
async function failed(fault: { status: number }, ...behind: string[]) {
  const { id } = await pipeline.rule();
  await addCardsOfRule(id, ['first', ...behind]);
  pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', ...fault });
  await pipeline.story.product.work();
  await pipeline.idle();
  const delivery = await db().message.findFirstOrThrow({
    where: { state: 'failed' },
    orderBy: { sequence: 'asc' },
  });
  return { ruleId: id, deliveryId: delivery.id };
}

const codeOf = (call: Promise<unknown>) => call.catch((error: AppError) => error.code);

test('a failed card is sent again once, after the cards that were waiting, and then counts', async () => {
  const { ruleId, deliveryId } = await failed({ status: 400 }, 'second');
  expect(await contents()).toEqual(['second']);
  expect(await used()).toBe(1);
  const account = await owner();
  const answers = [1, 2].map(() => codeOf(resendDelivery(account, ruleId, deliveryId)));
  expect((await Promise.all(answers)).sort()).toEqual([{ resent: true }, 'conflict']);
  await pipeline.idle();
  expect(await contents()).toEqual(['second', 'first']);
  expect(await used()).toBe(2);
  expect(await db().usagePeriod.findFirst()).toMatchObject({ sent: 2, reserved: 2 });
  expect(await codeOf(resendDelivery(account, ruleId, deliveryId))).toBe('conflict');
});

test('a card that was given up after a day of failures is tried again for another day', async () => {
  const { id: ruleId } = await pipeline.rule();
  await addCardsOfRule(ruleId, ['given up']);
  const longAgo = new Date(Date.now() - 25 * HOUR_MS);
  await db().message.updateMany({ data: { triedAt: longAgo, postponedAt: longAgo } });
  pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 503, times: 2 });
  await pipeline.story.product.work();
  await pipeline.idle();
  const givenUp = await db().message.findFirstOrThrow();
  expect(givenUp).toMatchObject({ state: 'failed', triedAt: longAgo });
  await resendDelivery(await owner(), ruleId, givenUp.id);
  await pipeline.idle();
  expect(await contents()).toEqual(['given up']);
});

test('a card of a rule that is off is sent again once the rule is on', async () => {
  const { ruleId, deliveryId } = await failed({ status: 400 });
  const turn = (enabled: boolean) =>
    pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${ruleId}`, { enabled });
  await turn(false);
  const message = 'The rule is switched off. Switch it on to send its cards again.';
  await expect(resendDelivery(await owner(), ruleId, deliveryId)).rejects.toMatchObject({
    code: 'conflict',
    message,
  });
  await turn(true);
  await resendDelivery(await owner(), ruleId, deliveryId);
  await pipeline.idle();
  expect(await contents()).toEqual(['first']);
});

test('a stopped channel is tried again', async () => {
  const { ruleId, deliveryId } = await failed({ status: 403 });
  expect(await db().channelProblem.count()).toBe(1);
  await resendDelivery(await owner(), ruleId, deliveryId);
  await pipeline.idle();
  expect(await contents()).toEqual(['first']);
  expect(await db().channelProblem.count()).toBe(0);
});

test('a channel is asked about again although it was seen closed a moment ago', async () => {
  const { product, channel } = pipeline.story;
  const deny = (bits: bigint) =>
    product.control('discord', 'PUT', `/channels/${channel('tasks')}/overwrite`, { deny: String(bits) });
  const { id } = await pipeline.rule();
  await deny(PermissionFlagsBits.SendMessages);
  await addCardsOfRule(id, ['first']);
  await product.work();
  await pipeline.idle();
  const { id: deliveryId } = await db().message.findFirstOrThrow({ where: { state: 'failed' } });
  await deny(0n);
  await resendDelivery(await owner(), id, deliveryId);
  await pipeline.idle();
  expect(await contents()).toEqual(['first']);
  expect(await db().channelProblem.count()).toBe(0);
});

test('ten cards of one channel are sent again in a minute, more only after a pause; another channel is not affected', async () => {
  const { id: ruleId } = await pipeline.rule();
  const other = await pipeline.rule({ channelId: pipeline.story.channel('bugs') });
  await addCardsOfRule(ruleId, numbered(11));
  await addCardsOfRule(other.id, ['elsewhere']);
  await db().message.updateMany({ data: { state: 'failed' } });
  const account = await owner();
  const inBugs = await db().message.findFirstOrThrow({ where: { sourceId: other.id } });
  const rest = await db().message.findMany({ where: { sourceId: ruleId } });
  const answers = [];
  for (const { id } of rest) {
    answers.push(await resendDelivery(account, ruleId, id).catch((error: AppError) => error));
  }
  expect(answers.slice(0, 10)).toEqual(Array(10).fill({ resent: true }));
  expect(answers[10]).toMatchObject({
    code: 'rate_limited',
    message: '10 cards of this channel were sent again within a minute. Try again in a few seconds.',
  });
  expect(await db().message.count({ where: { sourceId: ruleId, state: 'failed' } })).toBe(1);
  expect(await resendDelivery(account, other.id, inBugs.id)).toEqual({ resent: true });
  await db().$executeRaw`
    update rate_limit set blocked_until = blocked_until - interval '7 seconds' where key like 'resend:%'`;
  const last = await db().message.findFirstOrThrow({ where: { sourceId: ruleId, state: 'failed' } });
  expect(await resendDelivery(account, ruleId, last.id)).toEqual({ resent: true });
});

test('a channel that refuses again although it looks open is left alone for a while', async () => {
  const { ruleId, deliveryId } = await failed({ status: 403 });
  pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 403, times: 0 });
  const account = await owner();
  for (let again = 0; again < 4; again += 1) {
    await resendDelivery(account, ruleId, deliveryId);
    await pipeline.lookAnew();
    await pipeline.idle();
  }
  const { calls } = await pipeline.story.product.control('discord', 'GET', '/calls');
  expect(calls['POST /channels/:id/messages']).toBeLessThanOrEqual(4);
  pipeline.story.product.sandbox.context.faults.clear();
  await db().$executeRaw`update rate_limit set blocked_until = now() where key like 'discord:refused:%'`;
  await resendDelivery(account, ruleId, deliveryId);
  await pipeline.idle();
  expect(await contents()).toEqual(['first']);
});

test('somebody else’s card, another rule’s and an unknown one are not found', async () => {
  const { ruleId, deliveryId } = await failed({ status: 400 });
  const account = await owner();
  const other = await pipeline.rule();
  const stranger = { id: '00000000-0000-4000-8000-000000000000' };
  expect(await codeOf(resendDelivery(stranger, ruleId, deliveryId))).toBe('not_found');
  expect(await codeOf(resendDelivery(account, other.id, deliveryId))).toBe('not_found');
  expect(await codeOf(resendDelivery(account, ruleId, stranger.id))).toBe('not_found');
  expect(await contents()).toEqual([]);
});
