import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Channels } from '@/lib/testing/channels';
import { Line } from '@/lib/testing/line';
import { startConnectedProduct } from '@/lib/testing/product';
import { addCardsOfRule } from '@/lib/testing/waiting-cards';
import { MINUTE_MS } from '@/lib/time';
import { postHeldNotice } from './held-notice';

let line: Line;
let channels: Channels;
let notice: { accountId: string; channelId: string };

beforeAll(async () => {
  line = new Line(await startConnectedProduct());
  channels = new Channels(line);
  const { id: accountId } = await db().account.findFirstOrThrow();
  await db().account.updateMany({ data: { trialEndsAt: new Date(Date.now() - 1000) } });
  notice = { accountId, channelId: line.story.channel('tasks') };
});
afterAll(() => line.story.product.stop());
beforeEach(async () => {
  await line.clear();
});

/** Makes the attempt so far ten minutes old, so that Discord no longer knows its nonce. */
async function forgetNonces(): Promise<void> {
  await db().$executeRaw`update held_notice set tried_at = tried_at - interval '10 minutes'`;
  const clock = `${line.story.product.sandbox.context.urls.discord}/_sandbox/clock`;
  await fetch(clock, { method: 'POST', body: JSON.stringify({ advanceMs: 10 * MINUTE_MS }) });
}

const told = async () => (await channels.contents('tasks')).map((text) => text.split(' ')[0]);
const loseAnswer = () => line.fault({ target: 'discord', match: 'POST .*/messages', kind: 'hangup' });

test('a notice whose answer was lost is posted once, although Discord forgot its nonce and more cards were held since', async () => {
  const ruleId = await channels.waiting('tasks', 'one', 'two');
  await channels.drain();
  loseAnswer();
  expect(await postHeldNotice(notice)).toHaveProperty('retryInMs');
  await addCardsOfRule(ruleId, ['three']);
  await channels.drain();
  await forgetNonces();
  expect(await postHeldNotice(notice)).toEqual({ done: true });
  expect(await told()).toEqual(['2']);

  // What was held since is reported a day later.
  await db().$executeRaw`update held_notice set posted_at = posted_at - interval '1 day'`;
  await db().$executeRaw`
    update message set finished_at = finished_at - interval '1 day'
    where sequence < (select max(sequence) from message)`;
  expect(await postHeldNotice(notice)).toEqual({ done: true });
  expect(await told()).toEqual(['2', '1']);
});

test('held cards that are deleted before their notice do not prevent a later notice', async () => {
  await channels.waiting('tasks', 'one', 'two');
  await channels.drain();
  line.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 500 });
  expect(await postHeldNotice(notice)).toHaveProperty('retryInMs');
  await db().message.deleteMany();
  await channels.waiting('tasks', 'three');
  await channels.drain();
  expect(await postHeldNotice(notice)).toEqual({ retryInMs: 0 });
  expect(await postHeldNotice(notice)).toEqual({ done: true });
  expect(await told()).toEqual(['1']);
});
