import { ChannelType } from 'discord-api-types/v10';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { queueEdit } from '../messages/queue-edit';

const GOLEM = 'Boss fight: ember golem';
const SEND_IN_THREADS = 1n << 38n;

let pipeline: Pipeline;
let nth = 0;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.idle();
  await pipeline.clear();
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
});

const product = () => pipeline.story.product;
const control = (method: string, path: string, body?: object) =>
  product().control('discord', method, path, body);
const server = async () => {
  await pipeline.lookAnew();
  return (await product().call('mira', 'GET', '/api/app/discord/server')).body;
};
const channelNamed = async (name: string) =>
  (await server()).channels.find((channel: { name: string }) => channel.name === name);

/** A thread that a person has made in #tasks; returns its id. */
async function thread(name: string, given: object = {}): Promise<string> {
  const { id } = await control('POST', `/channels/${pipeline.story.channel('tasks')}/threads`, {
    name,
    ...given,
  });
  return id;
}

/** A rule for a place, which the dashboard has listed. */
async function ruleIn(channelId: string) {
  await server();
  return pipeline.rule({ channelId });
}

async function change(): Promise<void> {
  nth += 1;
  await pipeline.edit(GOLEM, { Status: nth % 2 ? 'Done' : 'In progress' });
  await pipeline.idle();
}
const contents = async (id: string) => (await product().messages(id)).map(({ content }) => content);
const lastDelivery = async (ruleId: string) =>
  (await product().call('mira', 'GET', `/api/app/rules/${ruleId}/deliveries`)).body.deliveries[0];
const health = async (ruleId: string) => {
  await pipeline.lookAnew();
  return (await product().call('mira', 'POST', `/api/app/rules/${ruleId}/check`)).body.health;
};

test('threads are listed under their channel, private ones only where the bot is', async () => {
  await thread('Standup');
  await thread('Secret', { isPrivate: true });
  await thread('Invited', { isPrivate: true, hasBot: true });
  const { channels } = await server();
  const names: string[] = channels.map(({ name }: { name: string }) => name);
  const at = names.indexOf('tasks');
  expect(names.slice(at, at + 3).sort()).toEqual(['Invited', 'Standup', 'tasks']);
  expect(names).not.toContain('Secret');
  expect(channels[at]).toMatchObject({ kind: 'text', parentName: null });
  expect(channels.find(({ name }: { name: string }) => name === 'Standup')).toMatchObject({
    kind: 'thread',
    parentName: 'tasks',
    botHasAccess: true,
  });
});

test('a rule posts in a thread, and a thread that was archived by hand is brought back', async () => {
  const id = await thread('Release 1.4');
  const { channelName } = await ruleIn(id);
  expect(channelName).toBe('Release 1.4');
  await change();
  expect(await contents(id)).toHaveLength(1);

  await control('PATCH', `/threads/${id}`, { isArchived: true });
  expect(await channelNamed('Release 1.4')).toMatchObject({ isArchived: true, botHasAccess: true });
  await change();
  expect(await contents(id)).toHaveLength(2);
  expect(await channelNamed('Release 1.4')).toMatchObject({ isArchived: false });
});

test('a card is edited in a thread that sleeps', async () => {
  const id = await thread('Quiet');
  await ruleIn(id);
  await change();
  await product().rest();
  const post = await db().message.findFirstOrThrow({ where: { targetId: id, kind: 'post' } });
  const waiting = {
    accountId: post.accountId,
    sourceId: post.sourceId,
    targetId: id,
    sealedBody: new Uint8Array([1]),
  };
  await db().message.create({
    data: { ...waiting, at: new Date(), kind: 'edit', discordMessageId: post.discordMessageId },
  });
  await queueEdit(post, { content: 'edited' });
  await control('PATCH', `/threads/${id}`, { isArchived: true });
  await product().work();
  await pipeline.idle();
  expect(await contents(id)).toEqual(['edited']);
});

test('an edit in a thread that cannot wake because the server has too many says so', async () => {
  const id = await thread('Crowded');
  await server();
  const rule = await pipeline.rule({ channelId: id, card: 'quiet' });
  await change();
  await control('PATCH', `/threads/${id}`, { isArchived: true });
  await control('PUT', '/threads', { most: 0 });
  await change();
  await control('PUT', '/threads', { most: 1000 });
  expect(await lastDelivery(rule.id)).toMatchObject({
    state: 'failed',
    reason: 'The server has as many active threads and posts as Discord allows.',
  });
});

test('a locked thread stops its rule, and says so', async () => {
  const id = await thread('Closed');
  const { id: ruleId } = await ruleIn(id);
  await control('PATCH', `/threads/${id}`, { isLocked: true });
  await change();
  expect(await lastDelivery(ruleId)).toMatchObject({ state: 'failed', reason: 'The thread is locked.' });
  expect(await health(ruleId)).toMatchObject({
    state: 'blocked',
    reason: 'The thread is locked, and the bot may not manage threads.',
  });
  await control('PATCH', `/threads/${id}`, { isLocked: false });
  // A channel that refused a moment ago is not trusted again at once.
  await db().rateLimit.deleteMany();
  expect((await health(ruleId)).state).not.toBe('blocked');
});

test('a thread that was deleted by hand stops its rule, and says so', async () => {
  const id = await thread('Short-lived');
  const { id: ruleId } = await ruleIn(id);
  await control('DELETE', `/channels/${id}`);
  await change();
  expect(await lastDelivery(ruleId)).toMatchObject({ state: 'failed', reason: 'The thread was deleted.' });
  expect(await health(ruleId)).toMatchObject({
    state: 'blocked',
    reason: 'The thread was deleted, or is hidden from the bot.',
  });
  expect(await channelNamed('Short-lived')).toMatchObject({ botHasAccess: false, usedInRules: 1 });
});

test('what the bot lacks in a thread is what it lacks in its channel', async () => {
  await thread('No entry');
  const path = `/channels/${pipeline.story.channel('tasks')}/overwrite`;
  await control('PUT', path, { deny: String(SEND_IN_THREADS) });
  expect(await channelNamed('No entry')).toMatchObject({
    botHasAccess: false,
    accessProblem: 'Send Messages in Threads is denied for the bot itself in this channel',
  });
  expect(await channelNamed('tasks')).toMatchObject({ botHasAccess: true });
  await control('PUT', path, {});
});

test('a channel that becomes another kind of channel stops its rule, and says so', async () => {
  const { id } = await control('POST', `/guilds/${pipeline.story.guild.id}/channels`, { name: 'news' });
  const { id: ruleId } = await ruleIn(id);
  await control('PATCH', `/channels/${id}`, { name: 'news', type: ChannelType.GuildAnnouncement });
  await change();
  expect(await contents(id)).toHaveLength(1);
  expect(await channelNamed('news')).toMatchObject({ kind: 'announcement', botHasAccess: true });

  await control('PATCH', `/channels/${id}`, { name: 'news', type: ChannelType.GuildForum });
  await change();
  expect(await lastDelivery(ruleId)).toMatchObject({
    state: 'failed',
    reason: 'The channel does not take text messages.',
  });
  const sentence = 'It is a forum channel, which takes posts, and the rule posts messages';
  expect(await health(ruleId)).toMatchObject({ state: 'blocked', reason: `${sentence}.` });
  expect(await channelNamed('news')).toMatchObject({ kind: 'forum', accessProblem: null });
  await expect(pipeline.rule({ channelId: id })).rejects.toThrow(
    `destination does not fit #news: ${sentence}.`,
  );
});
