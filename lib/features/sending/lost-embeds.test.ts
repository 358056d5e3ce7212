import { ChannelType } from 'discord-api-types/v10';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { HOUR_MS } from '@/lib/time';
import { BOT_TIMED_OUT } from '../calls/discord-refusal';

const PAGES = ['Boss fight: ember golem', 'Ash storm weather effect'];
const [GOLEM = ''] = PAGES;
const EMBED_LINKS = String(1n << 14n);
const REASON =
  'Discord shows the message without its card: Embed Links is denied for the bot itself in this channel.';

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.idle();
  await pipeline.clear();
  for (const page of PAGES) await pipeline.prepare(page, { Status: 'Backlog' });
});

const product = () => pipeline.story.product;
const call = async (method: string, path: string) => (await product().call('mira', method, path)).body;

/** What the bot may not do in a channel from now on, although it was read a moment ago. */
async function denyNow(permissions: string, channelId = pipeline.story.channel('tasks')): Promise<void> {
  const bot = permissions === '0' ? {} : { deny: permissions };
  await product().control('discord', 'PUT', `/channels/${channelId}/overwrite`, bot);
}

/** What the bot may not do in a channel from now on. */
async function deny(permissions: string, channelId?: string): Promise<void> {
  await denyNow(permissions, channelId);
  await pipeline.lookAnew();
}

async function change(page: string, Status: string): Promise<void> {
  await pipeline.edit(page, { Status });
  await pipeline.idle();
}

const deliveries = async (ruleId: string): Promise<{ id: string; state: string; reason: string | null }[]> =>
  (await call('GET', `/api/app/rules/${ruleId}/deliveries`)).deliveries;

const used = async () => (await call('GET', '/api/app/me')).subscription.notificationsUsed;

test('a card that Discord shows without its content has failed, and stops the channel', async () => {
  const { id } = await pipeline.rule();
  await deny(EMBED_LINKS);
  for (const page of PAGES) await change(page, 'Done');
  expect(await deliveries(id)).toMatchObject(Array(2).fill({ state: 'failed', reason: REASON }));
  expect(await pipeline.cards()).toMatchObject([{ embeds: [] }]);
  expect(await used()).toBe(0);
});

test('a permission that was taken right after the channels were read stops the channel too', async () => {
  const { id } = await pipeline.rule();
  await call('POST', `/api/app/rules/${id}/check`);
  await denyNow(EMBED_LINKS);
  for (const page of PAGES) await change(page, 'Done');
  expect(await deliveries(id)).toMatchObject(Array(2).fill({ state: 'failed', reason: REASON }));
});

describe('sent again once the bot may', () => {
  async function failBare(): Promise<string> {
    const { id } = await pipeline.rule();
    await deny(EMBED_LINKS);
    await change(GOLEM, 'Done');
    await deny('0');
    await call('POST', `/api/app/rules/${id}/check`);
    return id;
  }

  async function sendAgain(ruleId: string): Promise<void> {
    const [failed] = await deliveries(ruleId);
    await call('POST', `/api/app/rules/${ruleId}/deliveries/${failed?.id}/resend`);
    await pipeline.idle();
    expect(await deliveries(ruleId)).toMatchObject([{ state: 'sent', reason: null }]);
    expect(await pipeline.lines()).toEqual([expect.stringContaining(GOLEM)]);
    expect(await used()).toBe(1);
  }

  // Discord knows a nonce for minutes.
  const forgetNonce = (minutes: number) =>
    product().control('discord', 'POST', `/channels/${pipeline.story.channel('tasks')}/age`, { minutes });

  test.each([0, 30])('after %i minutes, it completes the message that stands', async (minutes) => {
    const id = await failBare();
    const [bare] = await pipeline.cards();
    if (minutes > 0) await forgetNonce(minutes);
    await sendAgain(id);
    expect(await pipeline.cards()).toMatchObject([{ id: bare.id }]);
  });

  test('it is posted anew if somebody has deleted that message', async () => {
    const id = await failBare();
    const [bare] = await pipeline.cards();
    await forgetNonce(30);
    await product().control('discord', 'DELETE', `/messages/${pipeline.story.channel('tasks')}/${bare.id}`);
    await sendAgain(id);
  });
});

test('a living card that stands without its content becomes a link to the new one', async () => {
  const { id } = await pipeline.rule({ card: 'living' });
  await deny(EMBED_LINKS);
  await change(GOLEM, 'In progress');
  await deny('0');
  await call('POST', `/api/app/rules/${id}/check`);
  await change(GOLEM, 'Done');
  expect((await deliveries(id))[0]).toMatchObject({ state: 'sent' });
  expect(await pipeline.cards()).toMatchObject([
    { content: expect.stringContaining('continues here'), embeds: [] },
    { embeds: [{ title: GOLEM }] },
  ]);
});

test('an edit that would empty a living card has failed, and the next one shows it again', async () => {
  const { id } = await pipeline.rule({ card: 'living' });
  await change(GOLEM, 'In progress');
  await deny(EMBED_LINKS);
  await change(GOLEM, 'In review');
  expect((await deliveries(id))[0]).toMatchObject({ state: 'failed', reason: REASON });
  await deny('0');
  await call('POST', `/api/app/rules/${id}/check`);
  await change(GOLEM, 'Done');
  expect(await pipeline.lines()).toEqual([expect.stringContaining(GOLEM)]);
});

test('a post stays, and a later edit shows its card', async () => {
  const board = { name: 'board', type: ChannelType.GuildForum };
  const channels = `/guilds/${pipeline.story.guild.id}/channels`;
  const { id: forum } = await product().control('discord', 'POST', channels, board);
  await pipeline.lookAnew();
  const destination = { kind: 'forum', tagPropertyId: 'Status' };
  const { id } = await pipeline.rule({ channelId: forum, destination });
  await deny(EMBED_LINKS, forum);
  for (const page of PAGES) await change(page, 'In progress');
  const [second, first] = await deliveries(id);
  expect(first).toMatchObject({ state: 'sent' });
  expect(second).toMatchObject({ state: 'failed', reason: REASON });
  await deny('0', forum);
  await call('POST', `/api/app/rules/${id}/check`);
  await change(GOLEM, 'Done');
  const { discordMessageId: post } = await db().message.findFirstOrThrow({ orderBy: { sequence: 'asc' } });
  expect((await product().messages(post ?? ''))[0]?.embeds).toMatchObject([{ title: GOLEM }]);
});

test('an edit by a bot that is timed out is made again when that ends', async () => {
  const { id } = await pipeline.rule({ card: 'quiet' });
  await change(GOLEM, 'In progress');
  const timeOut = (until: string | null) =>
    product().control('discord', 'PUT', `/guilds/${pipeline.story.guild.id}/bot/timeout`, { until });
  await timeOut(new Date(Date.now() + HOUR_MS).toISOString());
  await pipeline.edit(GOLEM, { Status: 'In review' });
  await expect
    .poll(() => db().message.findFirst({ where: { kind: 'edit', state: 'waiting', reason: BOT_TIMED_OUT } }))
    .not.toBeNull();
  await pipeline.turnsEnded();
  await timeOut(null);
  await pipeline.lookAnew();
  await call('POST', `/api/app/rules/${id}/check`);
  await pipeline.idle();
  expect(await pipeline.cards()).toMatchObject([{ embeds: [{ title: GOLEM }] }]);
  expect(await db().message.count({ where: { kind: 'edit', state: 'sent' } })).toBe(1);
});
