import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { enqueue } from '@/lib/queue/enqueue';
import { Chatter } from '@/lib/testing/chat';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { postToDiscordDoor } from '@/lib/testing/signed-calls';
import { tellLinkDecisionJob } from '../links/enqueue-link-decision';

// She shares no server with the bot any more, so that Discord refuses its messages to her (50007).
const VERA = { id: '208917000000000103', username: 'vera.l' };

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

const links = async () => (await story.product.call('mira', 'GET', '/api/app/account-links')).body;

async function request() {
  await jonas.run('link-account');
  return (await links()).pendingRequests[0];
}

/** Runs /notion link-account as Vera. Returns what she is told. */
async function askAsVera(): Promise<string> {
  const data = { name: 'notion', options: [{ name: 'link-account', type: 1 }] };
  const call = { id: randomUUID(), type: 2, guild_id: story.guild.id, member: { user: VERA }, data };
  const response = await postToDiscordDoor(story.product, JSON.stringify(call));
  return (await response.json()).data.content;
}

/** Waits until nothing is left to be told. */
const allTold = () =>
  eventually(async () => {
    const left = await db().$queryRaw<unknown[]>`
      select 1 from graphile_worker.jobs where task_identifier in ('tell-link-decision', 'send-direct')`;
    return left.length === 0;
  });

/** Decides with a call of the API, and waits until nothing is left to be told. Returns how often Discord was asked. */
async function decide(method: string, path: string, body?: unknown): Promise<number> {
  await story.product.control('discord', 'DELETE', '/calls');
  const { status } = await story.product.call('mira', method, `/api/app/account-links/${path}`, body);
  expect(status).toBe(200);
  await allTold();
  const { calls } = await story.product.control('discord', 'GET', '/calls');
  return calls['POST /channels/:id/messages'] ?? 0;
}

test('whoever was declined is told so in Discord', async () => {
  const { id } = await request();
  expect(await decide('DELETE', `request/${id}`)).toBe(1);
  const [letter] = await letters();
  expect(letter).toMatch(/^Your request to be linked to Notion in Lantern Works was declined/);
  await jonas.run('link-account');
  expect((await jonas.answer()).content).toMatch(/^Your request is waiting/);
});

test('whoever is approved is told so', async () => {
  const { id } = await request();
  const workspace = await story.product.call('mira', 'GET', '/api/app/notion/workspace');
  const user = workspace.body.users.find(({ name }: { name: string }) => name === 'Jonas Brandt');
  const { status } = await story.product.call('mira', 'POST', `/api/app/account-links/approve/${id}`, {
    notionUserId: user.id,
  });
  expect(status).toBe(200);
  const found = await eventually(async () => {
    const all = await letters();
    return all.length === 2 && all;
  });
  expect(found[1]).toMatch(/^You are now linked to Jonas Brandt in Notion/);
  // A job that runs again, because its worker died before noting the end, says nothing more.
  const { accountId } = await db().accountLink.findFirstOrThrow({ where: { discordUserId: jonas.userId } });
  const decision = { requestId: id, accountId, discordUserId: jonas.userId, isApproved: true };
  await enqueue(db(), tellLinkDecisionJob, decision);
  await allTold();
  expect(await letters()).toHaveLength(2);
  await jonas.run('my-tasks');
  expect((await jonas.answer()).content).toMatch(/open task/);
});

test('a decision stands although the person takes no messages from the bot, which tries once', async () => {
  await askAsVera();
  const { id } = (await links()).pendingRequests[0];
  const workspace = await story.product.call('mira', 'GET', '/api/app/notion/workspace');
  const linked = (await links()).linkedAccounts.map(
    ({ notion_display_name }: { notion_display_name: string }) => notion_display_name,
  );
  const free = workspace.body.users.find(({ name }: { name: string }) => !linked.includes(name));
  expect(await decide('POST', `approve/${id}`, { notionUserId: free.id })).toBe(1);
  expect((await links()).linkedAccounts.at(-1)).toMatchObject({ discord_user_id: VERA.id });
  expect(await askAsVera()).toBe(`You are already linked to ${free.name} in Notion.`);
});

test('whoever was declined and takes no messages from the bot hears of it when they ask again, once', async () => {
  await db().accountLink.deleteMany({ where: { discordUserId: VERA.id } });
  // More than a minute after the first refusal.
  await db().rateLimit.deleteMany();
  await askAsVera();
  const { id } = (await links()).pendingRequests[0];
  expect(await decide('DELETE', `request/${id}`)).toBe(1);
  expect((await links()).pendingRequests).toEqual([]);
  expect(await askAsVera()).toMatch(/^Your earlier request was declined, and a new one is waiting/);
  expect(await askAsVera()).toMatch(/^Your request is waiting/);
  expect((await links()).pendingRequests).toHaveLength(1);
});

test('a server that is named from right to left does not turn the sentence about it', async () => {
  await db().accountLink.deleteMany({ where: { discordUserId: jonas.userId } });
  await db().linkRequest.deleteMany();
  await db().discordServer.updateMany({ data: { name: 'סדנת הפנסים' } });
  const { id } = await request();
  expect(await decide('DELETE', `request/${id}`)).toBe(1);
  expect((await letters()).at(-1)).toMatch(/ in \u2068סדנת הפנסים\u2069 was declined\. /);
});
