import { afterAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { TestProduct } from '@/lib/testing/product';

const product = await TestProduct.start();
afterAll(() => product.stop());
beforeEach(async () => {
  await db().account.deleteMany();
});

interface Guild {
  id: string;
  name: string;
  channels: { id: string; name: string }[];
}

async function mirasGuilds(): Promise<Guild[]> {
  const guilds: Guild[] = await product.control('discord', 'GET', '/guilds');
  return guilds.filter(({ name }) => name.startsWith('Lantern'));
}

test('of installs into two servers at the same time, one is connected', async () => {
  const guilds = await mirasGuilds();
  expect(guilds).toHaveLength(2);
  await Promise.all(guilds.map(({ id }) => product.installBot('mira', id)));
  expect(await db().discordServer.count()).toBe(1);
});

test('of two workspaces connected at the same time, one is connected', async () => {
  const databases = await product.databases();
  const connect = (name: string, person: 'mira' | 'vera') =>
    product.connectNotion('mira', [databases.get(name)?.id ?? ''], person);
  await Promise.all([connect('Sprint board', 'mira'), connect('Night market', 'vera')]);
  expect(await db().notionWorkspace.count()).toBe(1);
});

test('of fifteen rules made at the same time, ten are there', async () => {
  const guild = (await mirasGuilds()).find(({ name }) => name === 'Lantern Works');
  const board = (await product.databases()).get('Sprint board');
  await product.installBot('mira', guild?.id ?? '');
  await product.connectNotion('mira', [board?.id ?? '']);
  const channelId = guild?.channels.find(({ name }) => name === 'tasks')?.id;
  const rule = {
    databaseId: board?.dataSourceId,
    dbType: 'task',
    eventType: 'page_created',
    channelId,
    watchedProperties: [],
    statusTo: [],
    displayedFields: [],
  };
  // On a busy machine the last in line may be asked to try again.
  const create = async () => {
    for (;;) {
      const answer = await product.call('mira', 'POST', '/api/app/rules', rule);
      if (answer.status !== 503) return answer;
    }
  };
  const answers = await Promise.all(Array.from({ length: 15 }, create));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(answers.filter(({ body }) => body.code === 'limit_reached')).toHaveLength(5);
  expect(await db().rule.count()).toBe(10);
});
