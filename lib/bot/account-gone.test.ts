import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, transaction } from '@/lib/db/database';
import { lockAccount } from '@/lib/features/tenancy/lock-account';
import { startConnectedProduct } from '@/lib/testing/product';
import { postToDiscordDoor } from '@/lib/testing/signed-calls';
import { untilBlocked } from '@/lib/testing/while-locked';

const GUILD = '1102000000000000001';
const NOT_CONNECTED = /^This server is not connected to a Notion workspace/;
let story: Awaited<ReturnType<typeof startConnectedProduct>>;

beforeAll(async () => {
  story = await startConnectedProduct();
});
afterAll(() => story.product.stop());

/** Sends a command while the account of its server is being deleted. Returns what the person is told. */
async function sendMeanwhile(id: string, data: object): Promise<string> {
  await story.product.installBot('vera', GUILD);
  await story.product.connectNotion('vera', [
    (await story.product.databases()).get('Night market')?.id ?? '',
  ]);
  const { accountId } = await db().discordServer.findUniqueOrThrow({ where: { guildId: GUILD } });
  const member = { user: { id: '208917000000000103', username: 'vera.l' } };
  const command = { id, type: 2, token: 'token', channel_id: '1', guild_id: GUILD, member, data };
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
