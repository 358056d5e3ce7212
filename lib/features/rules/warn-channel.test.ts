import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';

const SEND_MESSAGES = String(1n << 11n);
const MIRA = '208917000000000101';
const PAGE = 'Boss fight: ember golem';
let pipeline: Pipeline;
let told = 0;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.clear();
  await pipeline.prepare(PAGE, { Status: 'Backlog' });
  told = (await directMessages()).length;
});

const overwrite = (deny: string) =>
  pipeline.story.product.control('discord', 'PUT', `/channels/${pipeline.story.channel('tasks')}/overwrite`, {
    deny,
  });
const directMessages = async (): Promise<{ content: string }[]> =>
  (await pipeline.story.product.control('discord', 'GET', `/direct-messages/${MIRA}`)).messages;
const news = async () => (await directMessages()).slice(told).map(({ content }) => content);
const move = async (status: string) => {
  await pipeline.edit(PAGE, { Status: status });
  await pipeline.idle();
};
const check = (id: string, key: 'mira' | 'vera' = 'mira') =>
  pipeline.story.product.call(key, 'POST', `/api/app/rules/${id}/check`);
const health = async (id: string) => {
  const { body } = await pipeline.story.product.call('mira', 'GET', '/api/app/rules');
  return body.find((rule: { id: string }) => rule.id === id).health;
};

const REASON = 'Send Messages is denied for the bot itself in this channel.';
const FIX = 'In Discord, open the settings of #tasks, then Permissions, and allow Send Messages for the bot.';

test('whoever has a rule whose channel refuses cards is told once, with what is missing, where, and the way out', async () => {
  const { id } = await pipeline.rule();
  await overwrite(SEND_MESSAGES);
  await move('In progress');
  await move('Done');
  const page = `${pipeline.story.product.url}/rules`;
  expect(await news()).toEqual([
    `Pagewire cannot post in #tasks: ${REASON}\n${FIX}\nThen press Check again: ${page}`,
  ]);
  expect(await health(id)).toEqual({ state: 'blocked', reason: REASON, fix: FIX, until: null });
  // The log has only cards, not the warning.
  const { body } = await pipeline.story.product.call('mira', 'GET', `/api/app/rules/${id}/deliveries`);
  expect(body.deliveries.map(({ state }: { state: string }) => state)).toEqual(['failed', 'failed']);
});

test('names in the warning keep their characters', async () => {
  const { product, channel } = pipeline.story;
  const rename = (name: string) =>
    product.control('discord', 'PATCH', `/channels/${channel('tasks')}`, { name });
  await rename('tasks-*_new_*');
  await pipeline.lookAnew();
  await pipeline.rule();
  await overwrite(SEND_MESSAGES);
  await move('Done');
  const name = String.raw`#tasks-\*\_new\_\*`;
  expect((await news())[0]).toContain(`Pagewire cannot post in ${name}: ${REASON}\n`);
  expect((await news())[0]).toContain(`the settings of ${name}, then Permissions`);
  await rename('tasks');
  await pipeline.lookAnew();
});

test('a check after fixing opens the channel, and who breaks it again is told again', async () => {
  const { id } = await pipeline.rule();
  await overwrite(SEND_MESSAGES);
  await move('In progress');
  expect((await check(id)).body).toMatchObject({ id, health: { state: 'blocked', reason: REASON } });
  await overwrite('0');
  await pipeline.lookAnew();
  const fixed = await check(id);
  expect(fixed).toMatchObject({ status: 200, body: { id, health: { state: 'failed' } } });
  expect(await db().channelProblem.count()).toBe(0);
  await move('Done');
  expect(await health(id)).toMatchObject({ state: 'posting' });
  await overwrite(SEND_MESSAGES);
  await move('Backlog');
  expect(await news()).toHaveLength(2);
});

test('a failed card that is sent again after fixing arrives once and counts once', async () => {
  const { id } = await pipeline.rule();
  await overwrite(SEND_MESSAGES);
  await move('Done');
  const failed = (await pipeline.story.product.call('mira', 'GET', `/api/app/rules/${id}/deliveries`)).body
    .deliveries[0];
  expect(failed).toMatchObject({ state: 'failed', canResend: true });
  await overwrite('0');
  await pipeline.lookAnew();
  await check(id);
  const resend = () =>
    pipeline.story.product.call('mira', 'POST', `/api/app/rules/${id}/deliveries/${failed.id}/resend`);
  expect((await resend()).status).toBe(200);
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${PAGE}: Status: Backlog → Done`]);
  expect(await resend()).toMatchObject({ status: 409 });
  const me = await pipeline.story.product.call('mira', 'GET', '/api/app/me');
  expect(me.body.subscription.notificationsUsed).toBe(1);
});

test('a deleted channel is told as one that is gone', async () => {
  const { id } = await pipeline.rule();
  const { body: rules } = await pipeline.story.product.call('mira', 'GET', '/api/app/rules');
  expect(rules[0].health.state).toBe('idle');
  pipeline.fault({ target: 'discord', match: 'POST .*/messages', status: 404, kind: 'fail' });
  await move('Done');
  expect((await news())[0]).toMatch(/^Pagewire cannot post in #tasks: The channel was deleted.\n/);
  expect(await health(id)).toMatchObject({ state: 'blocked', reason: 'The channel was deleted.' });
});

test('whoever has rules for several channels is told of a removal of the bot once, and of the next one again', async () => {
  const { product, guild, channel } = pipeline.story;
  // The bot can write only to people with whom it shares a server.
  const guilds: { id: string; name: string }[] = await product.control('discord', 'GET', '/guilds');
  const playtest = guilds.find(({ name }) => name === 'Lantern Playtest')?.id;
  await product.control('discord', 'PUT', `/guilds/${playtest}/bot`, {});
  const lose = async (status: string) => {
    await product.control('discord', 'DELETE', `/guilds/${guild.id}/bot`);
    await move(status);
  };
  await pipeline.rule();
  await pipeline.rule({ channelId: channel('general') });
  await lose('In progress');
  await move('Done');
  const sentence = `The Pagewire bot is no longer in Lantern Works, so nothing is posted there. Your rules stay as they are; posting resumes once you add the bot again: ${product.url}/discord`;
  expect(await news()).toEqual([sentence]);
  expect(await product.installBot('mira', guild.id)).toBe('/setup?discord=connected');
  await lose('Backlog');
  expect(await news()).toEqual([sentence, sentence]);
  await product.installBot('mira', guild.id);
});

test('whoever takes no messages from the bot is not told, and nothing is tried again', async () => {
  await pipeline.rule();
  await overwrite(SEND_MESSAGES);
  pipeline.fault({
    target: 'discord',
    match: 'POST .*/users/@me/channels',
    status: 403,
    kind: 'fail',
    times: 0,
  });
  await move('Done');
  expect(await news()).toEqual([]);
  expect(await db().channelProblem.findFirst()).toMatchObject({ toldAt: expect.any(Date) });
});

test('a check says so while Discord does not answer, and finds no rule of others', async () => {
  const { id } = await pipeline.rule();
  await pipeline.lookAnew();
  pipeline.fault({ target: 'discord', match: 'GET .*/guilds', status: 503, kind: 'fail' });
  expect(await check(id)).toMatchObject({
    status: 502,
    body: { error: 'Discord does not answer. Try again in a minute.' },
  });
  expect(await check(id, 'vera')).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('a rule whose property is gone from Notion asks to be repaired', async () => {
  const { id } = await pipeline.rule({ displayedFields: ['Priority'] });
  const edit = { action: 'delete property', property: 'Priority' };
  await pipeline.story.product.control('notion', 'POST', '/databases/schema', {
    database: 'Sprint board',
    edit,
  });
  const { body } = await check(id);
  expect(body).toMatchObject({
    health: {
      state: 'broken',
      reason: 'The displayed field "Priority" was deleted in Notion: cards leave it out.',
    },
    problems: [{ part: 'displayedFields', id: body.displayedFields[0] }],
  });
  const { databaseId, eventType, channelId, watchedProperties, displayedFields } = body;
  const same = { databaseId, eventType, channelId, watchedProperties, displayedFields };
  expect(await pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${id}`, same)).toMatchObject({
    status: 400,
    body: { error: 'displayedFields: The property "Priority" was deleted in Notion.' },
  });
});
