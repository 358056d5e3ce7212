import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { TestProduct } from '@/lib/testing/product';

let product: TestProduct;
let guildId: string;

beforeAll(async () => {
  product = await TestProduct.start();
  const guilds: { id: string; name: string }[] = await product.control('discord', 'GET', '/guilds');
  guildId = guilds.find(({ name }) => name === 'Lantern Works')?.id ?? '';
  await product.installBot('mira', guildId);
});
afterAll(() => product.stop());

/** Opens the server to everybody in these ways. Returns the ways that the Discord page and the setup show. */
async function ways(openness: object): Promise<string[]> {
  await product.control('discord', 'PUT', `/guilds/${guildId}/openness`, openness);
  await db().discordServer.updateMany({ data: { channelsCheckedAt: new Date(0) } });
  const server = await product.call('mira', 'GET', '/api/app/discord/server');
  const setup = await product.call('mira', 'GET', '/api/app/setup/status');
  expect(setup.body.discord.servers[0].publicWays).toEqual(server.body.publicWays);
  return server.body.publicWays;
}

test.each([
  ['an ordinary server', {}, []],
  ['a community that only invites', { features: ['COMMUNITY', 'INVITE_SPLASH'] }, []],
  ['a server in Server Discovery', { features: ['COMMUNITY', 'DISCOVERABLE'] }, ['discovery']],
  ['a server with an invite link of its own', { vanityUrlCode: 'lantern' }, ['vanity_link']],
  ['a server whose widget shows an invite', { widgetChannelId: '1' }, ['widget']],
  [
    'a server that is open in each way',
    { features: ['DISCOVERABLE'], vanityUrlCode: 'l', widgetChannelId: '1' },
    ['discovery', 'vanity_link', 'widget'],
  ],
])('%s is known as what it is', async (_, openness, expected) => {
  expect(await ways(openness)).toEqual(expected);
});
