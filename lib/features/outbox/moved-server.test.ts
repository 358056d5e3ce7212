import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Channels } from '@/lib/testing/channels';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { addCardsOfRule } from '@/lib/testing/waiting-cards';
import { channelTurns } from '../sending/channel-turns';

let pipeline: Pipeline;
let channels: Channels;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  channels = new Channels(pipeline);
});
afterAll(() => pipeline.story.product.stop());

test('a turn whose card cannot get a reservation does not run again at once', async () => {
  await pipeline.clear();
  await channels.waiting('bugs', 'one');
  const table = channelTurns(null);
  const [turn] = await table.claim(1);
  if (!turn) throw new Error('no turn');
  // As if another worker had just reserved for the card.
  await db().message.updateMany({ data: { usagePeriodStart: new Date() } });
  expect(await table.work(turn)).toBeGreaterThan(500);
  expect(await db().channelTurn.findMany({ select: { leasedBy: true } })).toEqual([{ leasedBy: null }]);
});

test('a server that moves to another account takes its channels along, and each account is charged for its own cards', async () => {
  const { product, guild, board } = pipeline.story;
  await pipeline.clear();
  await channels.waiting('tasks', 'of the first owner');
  await channels.deliver();
  await product.rest();
  await addCardsOfRule((await db().rule.findFirstOrThrow()).id, ['never sent']);
  // The channel has to wait a moment, so that its turn still exists when the server has moved.
  await db().$executeRaw`update channel_turn set due_at = now() + interval '3 seconds'`;
  expect((await product.call('mira', 'DELETE', '/api/app/discord/server')).status).toBe(200);
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
  expect(await product.installBot('jonas', guild.id)).toBe('/setup?discord=connected');
  await product.connectNotion('jonas', [board.id]);
  await pipeline.rule({ eventType: 'page_created', watchedProperties: [], atOnce: true }, 'jonas');
  await pipeline.told(() =>
    product.control('notion', 'POST', '/rows', {
      database: 'Sprint board',
      properties: { Name: 'For the new owner', Status: 'Backlog' },
    }),
  );
  await product.work();
  await expect.poll(async () => (await pipeline.cards()).length).toBe(2);
  expect((await pipeline.cards()).at(-1).embeds[0].title).toContain('For the new owner');
  await expect.poll(() => db().channelTurn.count()).toBe(0);
  const owners = await db().account.findMany({ orderBy: { discordUserId: 'asc' } });
  const charged = owners.map(({ id }) => db().message.count({ where: { accountId: id, state: 'sent' } }));
  expect(await Promise.all(charged)).toEqual([1, 1]);
  const used = (['mira', 'jonas'] as const).map((key) => product.call(key, 'GET', '/api/app/me'));
  // Both have the workspace, so they use up its trial together.
  expect((await Promise.all(used)).map(({ body }) => body.subscription.notificationsUsed)).toEqual([2, 2]);
});
