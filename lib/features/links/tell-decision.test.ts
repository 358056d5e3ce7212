import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chatter } from '@/lib/testing/chat';
import { eventually, startConnectedProduct } from '@/lib/testing/product';

let story: Awaited<ReturnType<typeof startConnectedProduct>>;
let jonas: Chatter;

beforeAll(async () => {
  story = await startConnectedProduct();
  await story.product.work();
  jonas = new Chatter(story.product, 'jonas', story.channel('tasks'));
  await eventually(async () => !(await jonas.run('help')).error);
});
afterAll(() => story.product.stop());

const letters = async (): Promise<string[]> => {
  const { messages } = await story.product.control('discord', 'GET', `/direct-messages/${jonas.userId}`);
  return messages.map(({ content }: { content: string }) => content);
};

async function request() {
  await jonas.run('link-account');
  const { body } = await story.product.call('mira', 'GET', '/api/app/account-links');
  return body.pendingRequests[0];
}

test('whoever was declined is told so in Discord', async () => {
  const { id } = await request();
  await story.product.call('mira', 'DELETE', `/api/app/account-links/request/${id}`);
  const [letter] = await eventually(async () => {
    const found = await letters();
    return found.length > 0 && found;
  });
  expect(letter).toMatch(/^Your request to be linked to Notion in Lantern Works was declined/);
});

test('whoever is approved is told so, and the Notion user of the same name was suggested', async () => {
  const { id, suggestedNotionUserId } = await request();
  const workspace = await story.product.call('mira', 'GET', '/api/app/notion/workspace');
  const user = workspace.body.users.find(({ name }: { name: string }) => name === 'Jonas Brandt');
  expect(suggestedNotionUserId).toBe(user.id);
  const { status } = await story.product.call('mira', 'POST', `/api/app/account-links/approve/${id}`, {
    notionUserId: suggestedNotionUserId,
  });
  expect(status).toBe(200);
  const found = await eventually(async () => {
    const all = await letters();
    return all.length === 2 && all;
  });
  expect(found[1]).toMatch(/^You are now linked to Jonas Brandt in Notion/);
  await jonas.run('my-tasks');
  expect((await jonas.answer()).content).toMatch(/open task/);
});
