import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, startConnectedProduct } from '@/lib/testing/product';

let story: Awaited<ReturnType<typeof startConnectedProduct>>;

beforeAll(async () => {
  story = await startConnectedProduct();
  await story.product.work();
});
afterAll(() => story.product.stop());

test('an edit in Notion becomes one card in Discord, and is counted', async () => {
  const { product, board, channel, property } = story;
  const rule = await product.call('mira', 'POST', '/api/app/rules', {
    databaseId: board.dataSourceId,
    dbType: 'task',
    eventType: 'page_updated',
    channelId: channel('tasks'),
    watchedProperties: [property('Status')],
    statusTo: [],
    displayedFields: [property('Priority')],
  });
  expect(rule.status).toBe(201);

  const page = 'Boss fight: ember golem';
  await product.control('notion', 'PATCH', '/rows', { page, as: 'mira', properties: { Status: 'Done' } });
  const [card] = await eventually(async () => {
    const messages = await product.messages(channel('tasks'));
    return messages.length > 0 && messages;
  });
  expect(card.content).toBe('Mira Castellan changed Status of Boss fight: ember golem to Done');
  expect(card.pings.users).toEqual([]);
  const [embed] = card.embeds;
  expect(embed).toMatchObject({ title: page, author: { name: '🔥 Sprint board' } });
  expect(embed.description).toMatch(
    /^Status: In progress → Done\nUpdated by <@208917000000000101> <t:\d+:R>$/,
  );
  expect(embed.fields).toEqual([{ name: 'Priority', value: 'Critical', inline: true }]);

  const me = await eventually(async () => {
    const answer = await product.call('mira', 'GET', '/api/app/me');
    return answer.body.subscription.notificationsUsed === 1 && answer;
  });
  expect(me.body.subscription.notificationsUsed).toBe(1);
});
