import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Channels } from '@/lib/testing/channels';
import { DUE_NOW } from '@/lib/testing/due-now';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { addCardsOfRule } from '@/lib/testing/waiting-cards';
import { DAY_MS, MINUTE_MS } from '@/lib/time';
import { forgetOldChannelNotes } from '../deliveries/retention';
import { NOTICES_KEPT_DAYS, queueHeldNotice } from './held-notice';

let pipeline: Pipeline;
let channels: Channels;
let notice: { accountId: string; channelId: string };

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  channels = new Channels(pipeline);
  const { id: accountId } = await db().account.findFirstOrThrow();
  await db().account.updateMany({ data: { trialEndsAt: new Date(Date.now() - 1000) } });
  notice = { accountId, channelId: pipeline.story.channel('tasks') };
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.clear();
});

/** Makes the attempt so far ten minutes old, so that Discord no longer knows its nonce, and the next one due. */
async function forgetNonces(): Promise<void> {
  await db().$executeRaw`
    update message set tried_at = tried_at - interval '10 minutes', not_before = null where state = 'waiting'`;
  await db().$executeRaw`update channel_turn set due_at = ${DUE_NOW}`;
  const clock = `${pipeline.story.product.sandbox.context.urls.discord}/_sandbox/clock`;
  await fetch(clock, { method: 'POST', body: JSON.stringify({ advanceMs: 10 * MINUTE_MS }) });
}

const told = async () => (await channels.contents('tasks')).map((text) => text.split(' ')[0]);
const notices = async () =>
  (await db().message.findMany({ where: { kind: 'notice' } })).map(({ state }) => state);
const loseAnswer = () => pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'hangup' });
const refuse = (times: number) =>
  pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 503, times });

/** Cards that are held, and the rule that posts them. */
async function held(...cards: string[]): Promise<string> {
  const ruleId = await channels.waiting('tasks', ...cards);
  await channels.drain();
  return ruleId;
}

async function queueAndSend(): Promise<void> {
  expect(await queueHeldNotice(notice)).toEqual({ done: true });
  await channels.drain();
}

test('a notice whose answer was lost is posted once, although Discord forgot its nonce and more cards were held since', async () => {
  const ruleId = await held('one', 'two');
  loseAnswer();
  await queueAndSend();
  expect(await notices()).toEqual(['waiting']);
  await addCardsOfRule(ruleId, ['three']);
  await forgetNonces();
  await channels.drain();
  expect(await notices()).toEqual(['sent']);
  expect(await told()).toEqual(['2']);

  // What was held since is reported a day later.
  await db().$executeRaw`
    update held_notice set posted_at = posted_at - interval '1 day', told_at = told_at - interval '1 day'`;
  await db().$executeRaw`
    update message set finished_at = finished_at - interval '1 day'
    where sequence < (select max(sequence) from message)`;
  await queueAndSend();
  expect(await told()).toEqual(['2', '1']);
});

test('a channel gets its next notice a day after the latest, although that told of what was held long before', async () => {
  const ruleId = await held('one', 'two');
  await db().$executeRaw`update message set finished_at = finished_at - interval '1 day'`;
  await queueAndSend();
  await addCardsOfRule(ruleId, ['three']);
  await channels.drain();
  expect(await queueHeldNotice(notice)).toHaveProperty('retryInMs');
  await channels.drain();
  expect(await told()).toEqual(['2']);
});

test('held cards that are deleted before their notice do not prevent a later notice', async () => {
  await held('one', 'two');
  expect(await queueHeldNotice(notice)).toEqual({ done: true });
  await db().message.deleteMany({ where: { state: 'held' } });
  await channels.drain();
  expect(await notices()).toEqual([]);
  await held('three');
  await queueAndSend();
  expect(await told()).toEqual(['1']);
});

test('a notice says how many cards are held when it is sent, and the same when it is sent again', async () => {
  const ruleId = await held('one', 'two');
  expect(await queueHeldNotice(notice)).toEqual({ done: true });
  await addCardsOfRule(ruleId, ['three']);
  await db().$executeRaw`update message set sequence = sequence + 100 where kind = 'notice'`;
  refuse(1);
  await channels.drain();
  expect(await told()).toEqual([]);
  await addCardsOfRule(ruleId, ['four']);
  await forgetNonces();
  await channels.drain();
  expect(await told()).toEqual(['3']);
  expect(await channels.used()).toBe(0);
});

test('a notice that is sent after the account may post again says only how many cards were held', async () => {
  const ruleId = await held('one', 'two');
  expect(await queueHeldNotice(notice)).toEqual({ done: true });
  const { trialEndsAt } = await db().account.findUniqueOrThrow({ where: { id: notice.accountId } });
  await db().account.updateMany({ data: { trialEndsAt: new Date(Date.now() + DAY_MS) } });
  await addCardsOfRule(ruleId, ['three']);
  await channels.drain();
  await db().account.updateMany({ data: { trialEndsAt } });
  expect((await channels.contents('tasks')).toSorted()).toEqual([
    '2 notifications were held back in this channel and will not be posted later.',
    'three',
  ]);
});

test('a notice says what stops the account now, not what stopped it when the cards were held', async () => {
  await held('one');
  expect(await queueHeldNotice(notice)).toEqual({ done: true });
  await db().account.updateMany({ data: { status: 'past_due' } });
  await channels.drain();
  await db().account.updateMany({ data: { status: 'trial' } });
  expect(await channels.contents('tasks')).toEqual([
    '1 notification was held back in this channel and will not be posted later. A payment is overdue. Posting resumes once it is made.',
  ]);
});

test('two workers queue one notice and send it once', async () => {
  await held('one', 'two');
  await Promise.all([queueHeldNotice(notice), queueHeldNotice(notice)]);
  expect(await notices()).toEqual(['waiting']);
  await Promise.all([channels.drain(), channels.drain(), channels.drain()]);
  expect(await queueHeldNotice(notice)).toHaveProperty('retryInMs');
  expect(await notices()).toEqual(['sent']);
  expect(await told()).toEqual(['2']);
});

test('a notice that Discord does not take is given up after a day', async () => {
  await held('one', 'two', 'three', 'four', 'five');
  refuse(0);
  await queueAndSend();
  await db().$executeRaw`update message set postponed_at = postponed_at - interval '25 hours'`;
  await forgetNonces();
  await channels.drain();
  expect(await notices()).toEqual(['failed']);
});

test('a notice that the version before may have posted outside the outbox is looked for', async () => {
  await held('one', 'two');
  await queueAndSend();
  await db().message.deleteMany({ where: { kind: 'notice' } });
  await db().$executeRaw`
    update held_notice set posted_at = 'epoch', told_at = null, up_to = posted_at,
      tried_at = now() - interval '1 minute'`;
  expect(await queueHeldNotice(notice)).toHaveProperty('retryInMs');
  expect(await notices()).toEqual([]);
  await db().$executeRaw`update held_notice set tried_at = tried_at - interval '10 minutes'`;
  expect(await queueHeldNotice(notice)).toEqual({ retryInMs: 0 });
  await channels.drain();
  expect(await notices()).toEqual(['sent']);
  expect(await told()).toEqual(['2']);
  expect(await db().heldNotice.findFirst()).toMatchObject({ upTo: null, triedAt: null });
});

test('cards that a notice told of long ago are not counted again after that notice is forgotten', async () => {
  const ruleId = await held('one', 'two', 'three');
  await queueAndSend();
  const passed = `${NOTICES_KEPT_DAYS + 1} days`;
  await db().$executeRaw`update held_notice set posted_at = posted_at - ${passed}::interval`;
  await db().$executeRaw`update message set finished_at = finished_at - ${passed}::interval`;
  await forgetOldChannelNotes();
  expect(await db().heldNotice.count()).toBe(0);
  await addCardsOfRule(ruleId, ['four']);
  await channels.drain();
  await queueAndSend();
  expect(await told()).toEqual(['3', '1']);
});
