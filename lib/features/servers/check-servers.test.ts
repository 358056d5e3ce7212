import { createPrivateKey, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { HeldAnswers } from '@/lib/testing/held-answers';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { checkServers } from './check-servers';
import { invalidateReading, readGuild } from './read-guild';

let story: Awaited<ReturnType<typeof startConnectedProduct>>;

beforeAll(async () => {
  story = await startConnectedProduct();
});
afterAll(() => story.product.stop());

const problem = async () => (await db().discordServer.findFirstOrThrow()).problem;

/** Lets something happen while the answer to a call to Discord is on its way. */
async function whileAsking(call: RegExp, ask: () => Promise<unknown>, act: () => Promise<unknown>) {
  const { answers, end } = await HeldAnswers.begin('DISCORD_API_URL');
  try {
    answers.hold(call);
    const asking = ask();
    await eventually(async () => answers.isHolding);
    await act();
    answers.release();
    await asking;
  } finally {
    end();
  }
}

function post(payload: unknown, signedText?: string) {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = createPrivateKey(story.product.sandbox.context.credentials.discord.privateKey);
  const signature = sign(null, Buffer.from(timestamp + (signedText ?? body)), key).toString('hex');
  const headers = { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp };
  return fetch(`${story.product.url}/api/discord/events`, { method: 'POST', headers, body });
}

test('a server that the bot was removed from is marked until the bot is back', async () => {
  await checkServers();
  expect(await problem()).toBeNull();
  await story.product.control('discord', 'DELETE', `/guilds/${story.guild.id}/bot`);
  await checkServers();
  expect(await problem()).toBe('The bot is no longer in this server. Connect the server again.');
  await story.product.control('discord', 'PUT', `/guilds/${story.guild.id}/bot`, {});
  await checkServers();
  expect(await problem()).toBeNull();
});

test.each([
  ['list', () => checkServers(), /guilds\?limit=200/],
  [
    'reading',
    async () => expect(readGuild(await db().discordServer.findFirstOrThrow())).rejects.toThrow(),
    /guilds\?limit=1&/,
  ],
])(
  'a %s that was asked for before the bot was added again does not mark its server',
  async (_, ask, call) => {
    const { guild, product } = story;
    await product.control('discord', 'DELETE', `/guilds/${guild.id}/bot`);
    await invalidateReading((await db().discordServer.findFirstOrThrow()).accountId);
    await whileAsking(call, ask, () => product.installBot('mira', guild.id));
    expect(await problem()).toBeNull();
  },
);

test('a list that was asked for before the bot was removed does not clear the mark of its server', async () => {
  await whileAsking(/guilds\?limit=200/, checkServers, async () => {
    await story.product.control('discord', 'DELETE', `/guilds/${story.guild.id}/bot`);
    await checkServers();
  });
  expect(await problem()).not.toBeNull();
  await story.product.installBot('mira', story.guild.id);
});

test('a server that Discord does not know once, but lists, is not marked', async () => {
  const { faults } = story.product.sandbox.context;
  const server = await db().discordServer.findFirstOrThrow();
  for (const match of ['GET .*/guilds/\\d+$', 'GET .*/guilds/\\d+/channels$']) {
    await invalidateReading(server.accountId);
    faults.add({ target: 'discord', kind: 'fail', match, times: 1, status: 404, delayMs: 0 });
    await expect(readGuild(server)).rejects.toMatchObject({ isTransient: true });
    expect(await problem()).toBeNull();
  }
  await story.product.control('discord', 'DELETE', `/guilds/${story.guild.id}/bot`);
  await expect(readGuild(server)).rejects.toMatchObject({ code: 10004 });
  expect(await problem()).not.toBeNull();
  await story.product.control('discord', 'PUT', `/guilds/${story.guild.id}/bot`, {});
  await checkServers();
});

test("the door for Discord's events answers a ping, and nothing unsigned", async () => {
  const ping = await post({ version: 1, application_id: '1', type: 0 });
  expect([ping.status, await ping.text(), ping.headers.has('content-type')]).toEqual([204, '', true]);
  expect((await post({ version: 1, type: 0 }, 'something else')).status).toBe(401);
  expect((await post('{')).status).toBe(400);
  expect((await post('[]')).status).toBe(400);
});

test('an event that somebody removed the application only starts a check of the servers', async () => {
  await story.product.work();
  const { status } = await story.product.control('discord', 'POST', '/deauthorize', { person: 'mira' });
  expect(status).toBe(204);
  expect(await problem()).toBeNull();
  await story.product.control('discord', 'DELETE', `/guilds/${story.guild.id}/bot`);
  await story.product.control('discord', 'POST', '/deauthorize', { person: 'mira' });
  await eventually(async () => (await problem()) !== null);
});

test('an event of another kind is acknowledged and ignored', async () => {
  const event = { type: 'ENTITLEMENT_CREATE', timestamp: new Date().toISOString(), data: {} };
  expect((await post({ version: 1, application_id: '1', type: 1, event })).status).toBe(204);
});
