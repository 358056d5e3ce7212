import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { db, transaction } from '@/lib/db/database';
import { lockAccount } from '@/lib/features/tenancy/lock-account';
import { Chatter } from '@/lib/testing/chat';
import { HeldAnswers } from '@/lib/testing/held-answers';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { postToDiscordDoor } from '@/lib/testing/signed-calls';
import { untilBlocked } from '@/lib/testing/while-locked';
import { DAY_MS } from '@/lib/time';

const GUILD = '1102000000000000001';
const CHANNEL = '1102000000000000201';
const NOT_CONNECTED = /^This server is not connected to a Notion workspace/;
let story: Awaited<ReturnType<typeof startConnectedProduct>>;

beforeAll(async () => {
  story = await startConnectedProduct();
});
afterAll(() => story.product.stop());

beforeEach(async () => {
  await story.product.installBot('vera', GUILD);
  await story.product.connectNotion('vera', [
    (await story.product.databases()).get('Night market')?.id ?? '',
  ]);
  // Her trial has ended with an account that she had before.
  await db().account.updateMany({ data: { trialEndsAt: new Date(Date.now() + DAY_MS) } });
});

/** Sends a command while the account of its server is being deleted. Returns what the person is told. */
async function sendMeanwhile(id: string, data: object): Promise<string> {
  const { accountId } = await db().discordServer.findUniqueOrThrow({ where: { guildId: GUILD } });
  const member = { user: { id: '208917000000000103', username: 'vera.l' } };
  const command = { id, type: 2, token: 'token', channel_id: CHANNEL, guild_id: GUILD, member, data };
  const { asking } = await transaction(async (tx) => {
    await lockAccount(tx, accountId);
    await tx.account.delete({ where: { id: accountId } });
    const sent = { asking: postToDiscordDoor(story.product, JSON.stringify(command)) };
    await untilBlocked(1);
    return sent;
  });
  const response = await asking;
  return (await response.json()).data.content;
}

test('whoever asks to be linked while the account is deleted is told that nothing is connected', async () => {
  const data = { name: 'notion', options: [{ name: 'link-account', type: 1 }] };
  expect(await sendMeanwhile('1500000000000000001', data)).toMatch(NOT_CONNECTED);
});

test('whoever searches while the account is deleted is told that nothing is connected', async () => {
  const options = [{ name: 'title', type: 3, value: 'Wax' }];
  const data = { name: 'notion', options: [{ name: 'find', type: 1, options }] };
  expect(await sendMeanwhile('1500000000000000002', data)).toMatch(NOT_CONNECTED);
});

test('whoever makes a task of a message while the account is deleted is told that nothing is connected', async () => {
  const resolved = { messages: { '7': { id: '7', content: 'Order more wax' } } };
  const data = { name: 'Create Notion task', target_id: '7', resolved };
  expect(await sendMeanwhile('1500000000000000003', data)).toMatch(NOT_CONNECTED);
});

describe('an answer that is being worked on says that nothing is connected', () => {
  let vera: Chatter;

  beforeEach(async () => {
    vera = new Chatter(story.product, 'vera', CHANNEL);
    await story.product.work();
    await eventually(async () => !(await vera.run('help')).error);
  });

  // A job that revokes a token or leaves the server would also end the next connection.
  afterEach(() =>
    eventually(async () => (await db().$queryRaw<object[]>`select 1 from graphile_worker.jobs`).length === 0),
  );

  /** Deletes something of Vera's before Notion's answer to a call of her action arrives. */
  async function whileCalling(call: RegExp, act: () => Promise<unknown>, deleted: string): Promise<void> {
    const { answers, end } = await HeldAnswers.begin();
    onTestFinished(end);
    answers.hold(call);
    await act();
    await eventually(async () => answers.isHolding);
    expect((await story.product.call('vera', 'DELETE', deleted)).status).toBe(200);
    answers.release();
  }

  test('when the workspace is disconnected while a status is set', async () => {
    const { interactionId } = await vera.run('task');
    await vera.submit(interactionId, { title: ['Wax for spring'] });
    await vera.press(await vera.answer(), 'Change status');
    const menu = await vera.answer();
    await whileCalling(/^GET \/v1\/pages\//, () => vera.choose(menu, 'Now'), '/api/app/notion/workspace');
    expect((await vera.answer(({ content }) => content !== menu.content)).content).toMatch(NOT_CONNECTED);
  });

  test('when the account is deleted while a task is created', async () => {
    const { interactionId } = await vera.run('task');
    const submit = () => vera.submit(interactionId, { title: ['Wax for winter'] });
    await whileCalling(/^POST \/v1\/pages$/, submit, '/api/app/account');
    expect((await vera.answer()).content).toMatch(NOT_CONNECTED);
  });
});
