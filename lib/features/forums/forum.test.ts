import { ChannelType } from 'discord-api-types/v10';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { DigestSteps } from '@/lib/testing/digest-steps';
import { MissedChanges } from '@/lib/testing/missed-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { HOUR_MS } from '@/lib/time';
import { spaceBotCalls } from '../calls/call-gate';
import { BOT_TIMED_OUT } from '../calls/discord-refusal';

const PAGE = 'Boss fight: ember golem';
const TAGS = ['in progress', 'In review'];
const SEND_IN_THREADS = String(1n << 38n);
const SEND = String(1n << 11n);
const VIEW_CHANNEL = String(1n << 10n);

let pipeline: Pipeline;
let forum = '';

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.clear();
  await control('PUT', '/threads', { most: 1000 });
  forum = await newForum();
  await pipeline.prepare(PAGE, { Status: 'Backlog' });
});

const control = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.control('discord', method, path, body);
const call = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.call('mira', method, path, body);

async function newForum(type = ChannelType.GuildForum): Promise<string> {
  const channel = { name: 'board', type };
  const { id } = await control('POST', `/guilds/${pipeline.story.guild.id}/channels`, channel);
  await setTags({ tags: TAGS.map((name) => ({ name })) }, id);
  return id;
}

const setTags = (body: object, id = forum) => control('PUT', `/channels/${id}/forum`, body);

async function rule(more: Record<string, unknown> = {}) {
  await pipeline.lookAnew();
  const destination = { kind: 'forum', tagPropertyId: 'Status' };
  return pipeline.rule({ channelId: forum, destination, ...more });
}

const draft = (more: Record<string, unknown> = {}) => ({
  databaseId: pipeline.story.board.dataSourceId,
  eventType: 'page_updated',
  watchedProperties: ['Status'],
  channelId: forum,
  destination: { kind: 'forum', tagPropertyId: 'Status' },
  ...more,
});

async function change(Status: string, page = PAGE) {
  await pipeline.edit(page, { Status }, 'jonas');
  await pipeline.idle();
}

interface Post {
  id: string;
  name: string;
  isArchived: boolean;
  tags: string[];
  messages: { content: string; embeds: { description: string }[]; flags: number; components: unknown[] }[];
}
const posts = async (): Promise<Post[]> => (await control('GET', `/channels/${forum}/posts`)).posts;
const only = async (): Promise<Post> => {
  const [post, ...others] = await posts();
  expect(others).toEqual([]);
  return post as Post;
};
const replies = ({ messages }: Post) => messages.slice(1).map(({ content }) => content);
const log = async (ruleId: string) =>
  (await call('GET', `/api/app/rules/${ruleId}/deliveries`)).body.deliveries;
const used = async () => (await call('GET', '/api/app/me')).body.subscription.notificationsUsed;

test('each page has one post: named, tagged, kept as the page is, closed when it is done and opened again', async () => {
  const { id, destination } = await rule({ card: 'living' });
  expect(destination).toEqual({ kind: 'forum', tagPropertyId: pipeline.story.property('Status') });
  await change('In progress');
  const made = await only();
  expect(made).toMatchObject({ name: PAGE, tags: ['in progress'], isArchived: false });
  expect(made.messages).toHaveLength(1);

  await change('In review');
  const edited = await only();
  expect(edited.tags).toEqual(['In review']);
  expect(edited.messages[0]?.embeds[0]?.description).toContain('Status: In review');
  expect(replies(edited)).toEqual([`Jonas Brandt changed Status of ${PAGE} to In review`]);

  await change('Done');
  expect(await only()).toMatchObject({ isArchived: true, tags: [] });
  expect(replies(await only())).toHaveLength(2);
  await change('In progress');
  expect(await only()).toMatchObject({ isArchived: false, tags: ['in progress'] });
  expect(replies(await only())).toHaveLength(3);

  // The post counts, and replies do not.
  expect(await used()).toBe(1);
  const entries = await log(id);
  expect(entries).toHaveLength(4);
  for (const entry of entries) {
    expect(entry).toMatchObject({ state: 'sent', channelId: forum, channelName: 'board' });
    expect(entry.messageUrl).toContain(`/${made.id}/`);
  }
  const activity = await call('GET', `/api/app/activity?channel=${forum}`);
  expect(activity.body.items).toHaveLength(4);
  const rules = await call('GET', '/api/app/rules');
  expect(JSON.stringify(rules.body)).toContain('one post for each page, with lines');

  const trashed = { page: PAGE, as: 'jonas', database: 'Sprint board' };
  await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows/trash', trashed));
  await pipeline.idle();
  expect((await only()).messages[0]?.embeds[0]?.description).toContain('Moved to the trash');
  await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows/restore', trashed));
  await pipeline.idle();
  expect((await only()).messages[0]?.embeds[0]?.description).toContain('Restored');
});

test('later events are whole cards, or lines that notify nobody; a post that is done from the start is closed', async () => {
  await rule();
  const other = await newForum(ChannelType.GuildMedia);
  await pipeline.lookAnew();
  await pipeline.rule({
    channelId: other,
    destination: { kind: 'forum' },
    card: 'quiet',
    mentions: { people: 'none' },
  });
  await change('Done');
  expect(await only()).toMatchObject({ isArchived: true });
  await change('Backlog');
  const { messages, tags } = await only();
  expect(tags).toEqual([]);
  expect(messages[1]?.embeds[0]?.description).toContain('Status: Done → Backlog');
  expect(messages[1]?.components).toEqual([]);
  forum = other;
  const quiet = await only();
  expect(quiet).toMatchObject({ isArchived: false, tags: [] });
  expect(quiet.messages[1]).toMatchObject({ embeds: [], flags: 1 << 12, pings: { users: [], roles: [] } });
});

test('a post that is done from the start is closed although Discord fails at that at first', async () => {
  await rule();
  const close = { target: 'discord', match: 'PATCH /api/v10/channels/', kind: 'fail' } as const;
  pipeline.fault({ ...close, status: 503 });
  pipeline.fault({ ...close, status: 429, retryAfterSeconds: 1 });
  await change('Done');
  expect(await only()).toMatchObject({ isArchived: true });
});

test('several events of a turn are one post with replies, which is closed at the end', async () => {
  await rule({ eventType: 'comment_created', watchedProperties: [] });
  await pipeline.edit(PAGE, { Status: 'Done' }, 'jonas');
  await pipeline.idle();
  await pipeline.story.product.rest();
  for (const text of ['One', 'Two', 'Three']) {
    const comment = { page: PAGE, text, as: 'jonas', database: 'Sprint board' };
    await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/comments', comment));
  }
  await pipeline.story.product.work();
  await pipeline.idle();
  const post = await only();
  expect(post.isArchived).toBe(true);
  expect(post.messages.map(({ embeds }) => embeds[0]?.description)).toEqual(
    ['One', 'Two', 'Three'].map((text) => expect.stringContaining(`> ${text}`)),
  );
});

test('a post that somebody deleted is made anew by the next event, once, and the log says why', async () => {
  const { id } = await rule({ card: 'living' });
  await change('In progress');
  const { id: first } = await only();
  await change('In review');
  await control('DELETE', `/channels/${first}`);
  await change('Done');
  const reposted = await only();
  expect(reposted.id).not.toBe(first);
  expect(reposted.isArchived).toBe(true);
  // The new post says it.
  expect(replies(reposted)).toEqual([]);
  expect((await log(id))[0]).toMatchObject({
    state: 'sent',
    reason: expect.stringContaining('deleted in Discord'),
  });
  await change('Backlog');
  expect(replies(await only())).toEqual([expect.stringContaining('to Backlog')]);
  expect(await used()).toBe(2);
  expect(await db().channelProblem.count()).toBe(0);
});

test('an event after the first message of a post was deleted is told there once, and the next in a new post', async () => {
  const { id } = await rule({ card: 'living' });
  await change('In progress');
  const { id: first } = await only();
  await control('DELETE', `/messages/${first}/${first}`);
  await change('In review');
  expect(await used()).toBe(1);
  expect((await only()).messages.map(({ content }) => content)).toEqual([
    expect.stringContaining('to In review'),
  ]);
  expect((await log(id))[0]).toMatchObject({ state: 'sent', reason: null });

  await change('Backlog');
  const [orphan, anew, ...others] = await posts();
  expect(others).toEqual([]);
  expect(orphan).toMatchObject({ id: first, messages: [expect.anything()] });
  expect(anew?.messages[0]?.embeds[0]?.description).toContain('Status: Backlog');
  expect((await log(id))[0]).toMatchObject({
    state: 'sent',
    reason: expect.stringContaining('deleted in Discord'),
  });
  expect(await used()).toBe(2);
  await change('In progress');
  expect((await posts()).at(-1)?.messages).toHaveLength(2);
  expect(await db().message.count({ where: { state: 'waiting' } })).toBe(0);
});

test('an event that was refused in a post without its first message is told by a new post at once', async () => {
  const { id } = await rule({ card: 'living' });
  await change('In progress');
  const { id: first } = await only();
  await control('DELETE', `/messages/${first}/${first}`);
  const match = `POST .*/channels/${first}/messages`;
  pipeline.fault({ target: 'discord', match, kind: 'fail', status: 400, code: 200_000, times: 1 });
  await change('In review');
  const [orphan, anew] = await posts();
  expect(orphan?.messages).toEqual([]);
  expect(anew?.messages[0]?.embeds[0]?.description).toContain('Status: In review');
  expect((await log(id))[0]).toMatchObject({ state: 'sent' });
});

test('what waits in a post that another forum has replaced is said there', async () => {
  const { id, channelName: _, ...made } = await rule({ card: 'living' });
  await change('In progress');
  await change('In review');
  const { id: old } = await only();
  // The worker learns of it when the post wants no more calls for a while.
  await db().rateLimit.create({
    data: { key: `discord:${old}`, blockedUntil: new Date(Date.now() + 600_000) },
  });
  await pipeline.edit(PAGE, { Status: 'Done' }, 'jonas');
  await eventually(
    async () => (await db().message.count({ where: { targetId: old, state: 'waiting' } })) === 2,
  );
  forum = await newForum();
  await pipeline.lookAnew();
  const moved = { ...made, channelId: forum, dbType: undefined };
  expect((await call('PUT', `/api/app/rules/${id}`, moved)).status).toBe(200);
  await pipeline.edit(PAGE, { Status: 'Backlog' }, 'jonas');
  await eventually(async () => (await posts()).length === 1);
  await db().rateLimit.deleteMany();
  await pipeline.idle();
  const post = await only();
  expect(post.messages[0]?.embeds[0]?.description).toContain('Status: Backlog');
  expect(replies(post)).toEqual([expect.stringContaining('to Done')]);
});

test('a post that was archived by hand is brought back, and one that was locked says so', async () => {
  const { id } = await rule({ card: 'living' });
  await change('In progress');
  const post = await only();
  await control('PATCH', `/threads/${post.id}`, { isArchived: true });
  await change('In review');
  expect(await only()).toMatchObject({ isArchived: false, tags: ['In review'] });
  await control('PATCH', `/threads/${post.id}`, { isArchived: true, isLocked: true });
  await change('Done');
  expect((await log(id))[0]).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('The post is locked'),
  });
  expect(await db().channelProblem.count()).toBe(0);
  await control('PATCH', `/threads/${post.id}`, { isArchived: false, isLocked: false });
  await db()
    .$executeRaw`update living_card set thread_problem_at = thread_problem_at - interval '65 seconds'`;
  await change('Backlog');
  expect(replies(await only()).at(-1)).toContain('to Backlog');
  expect((await only()).messages[0]?.embeds[0]?.description).toContain('Status: Backlog');
});

test('while the bot is timed out, a reply waits and its post is as before', async () => {
  const { id } = await rule({ card: 'living' });
  const timeOut = (until: Date | null) =>
    control('PUT', `/guilds/${pipeline.story.guild.id}/bot/timeout`, { until: until?.toISOString() ?? null });
  await change('In progress');
  await timeOut(new Date(Date.now() + HOUR_MS));
  await pipeline.edit(PAGE, { Status: 'In review' }, 'jonas');
  const newest = async () => (await log(id))[0];
  await expect.poll(newest).toMatchObject({ state: 'waiting', reason: BOT_TIMED_OUT });
  expect(replies(await only())).toEqual([]);
  await pipeline.turnsEnded();
  await timeOut(null);
  await pipeline.lookAnew();
  await call('POST', `/api/app/rules/${id}/check`);
  await pipeline.idle();
  expect(await newest()).toMatchObject({ state: 'sent', reason: null });
  expect(await only()).toMatchObject({ tags: ['In review'] });
  expect(replies(await only())).toEqual([expect.stringContaining('to In review')]);
});

test('a reply in a forum that is hidden from the bot fails and stops the forum, not the post', async () => {
  const { id } = await rule({ card: 'living' });
  await change('In progress');
  await control('PUT', `/channels/${forum}/overwrite`, { deny: VIEW_CHANNEL });
  await change('In review');
  const fails = { state: 'failed', reason: 'The bot cannot see the channel.' };
  expect((await log(id))[0]).toMatchObject(fails);
  expect(await db().channelProblem.findMany()).toMatchObject([{ channelId: forum }]);
  await control('DELETE', '/calls');
  await change('Backlog');
  expect((await log(id))[0]).toMatchObject(fails);
  expect((await control('GET', '/calls')).invalidAnswers).toBe(0);

  await control('PUT', `/channels/${forum}/overwrite`, {});
  await db().rateLimit.deleteMany();
  await db().channelProblem.updateMany({ data: { since: new Date(Date.now() - 120_000) } });
  await pipeline.lookAnew();
  await change('In review');
  expect((await log(id))[0]).toMatchObject({ state: 'sent' });
  expect(replies(await only())).toEqual([expect.stringContaining('to In review')]);
});

test('a post whose server Discord denies once, although it lists it, gets its reply all the same', async () => {
  const { id } = await rule({ card: 'living' });
  await change('In progress');
  pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 404, code: 10004 });
  await change('Done');
  expect((await log(id))[0]).toMatchObject({ state: 'sent' });
  expect(replies(await only())).toEqual([expect.stringContaining('to Done')]);
  expect(await db().channelProblem.count()).toBe(0);
});

test('a tag that is gone is left out, one for moderators too, and a forum that requires a tag says so', async () => {
  const { id } = await rule({ card: 'living' });
  await change('In progress');
  await setTags({ tags: [{ name: 'In review', moderated: true }] });
  await change('In review');
  expect(await only()).toMatchObject({ tags: [] });
  await setTags({ tags: [{ name: 'In review' }], requiresTag: true });
  await change('Backlog');
  expect((await log(id))[0]).toMatchObject({ state: 'sent' });
  const other = 'Ash storm weather effect';
  await pipeline.prepare(other, { Status: 'Backlog' });
  await change('Done', other);
  expect((await log(id))[0]).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('requires a tag'),
  });
  expect(await posts()).toHaveLength(1);
  await change('In review', other);
  expect((await posts()).at(-1)).toMatchObject({ name: other, tags: ['In review'] });
  await pipeline.lookAnew();
  await expect(pipeline.rule({ channelId: forum, destination: { kind: 'forum' } })).rejects.toThrow(
    'destination.tagPropertyId is needed: #board requires a tag on every post.',
  );
});

test('a new post goes without a tag that only moderators may set since the channels were read', async () => {
  const { id } = await rule();
  await setTags({ tags: [{ name: 'in progress' }, { name: 'In review', moderated: true }] });
  await change('In review');
  expect((await log(id))[0]).toMatchObject({ state: 'sent' });
  expect(await only()).toMatchObject({ tags: [] });
  expect(await db().channelProblem.count()).toBe(0);

  const other = 'Ash storm weather effect';
  await setTags({ tags: [{ name: 'in progress', moderated: true }], requiresTag: true });
  await change('In progress', other);
  expect((await log(id))[0]).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('only those who manage threads'),
  });
});

test('the test of a rule goes without such a tag too', async () => {
  spaceBotCalls();
  await pipeline.prepare(PAGE, { Status: 'In review' });
  await pipeline.lookAnew();
  expect((await call('POST', '/api/app/rules/test', draft())).status).toBe(200);
  expect(await only()).toMatchObject({ tags: ['In review'] });
  await setTags({ tags: [{ name: 'In review', moderated: true }] });
  expect(await call('POST', '/api/app/rules/test', draft())).toMatchObject({ status: 200 });
  expect((await posts()).map(({ tags }) => tags.length)).toEqual([1, 0]);
});

test('a post is closed although Discord refuses its new tags', async () => {
  spaceBotCalls();
  await rule({ card: 'quiet' });
  await change('In progress');
  pipeline.fault({
    target: 'discord',
    match: 'PATCH .*/channels/[0-9]+$',
    kind: 'fail',
    status: 403,
    code: 50013,
  });
  await change('Done');
  expect(await only()).toMatchObject({ isArchived: true, tags: ['in progress'] });
});

test('a post that Discord did not close when it was made follows the next change', async () => {
  spaceBotCalls();
  await rule({ card: 'living' });
  pipeline.fault({
    target: 'discord',
    match: 'PATCH .*/channels/[0-9]+$',
    kind: 'fail',
    status: 503,
    times: 3,
  });
  await change('Done');
  expect(await only()).toMatchObject({ isArchived: false });
  await change('In review');
  expect(await only()).toMatchObject({ isArchived: false, tags: ['In review'] });
  await change('Done');
  expect(await only()).toMatchObject({ isArchived: true, tags: [] });
});

test('a post keeps its tag if its forum requires one and has none for the new value', async () => {
  await setTags({ tags: TAGS.map((name) => ({ name })), requiresTag: true });
  const { id } = await rule({ card: 'living' });
  await change('In review');
  await control('DELETE', '/calls');
  await change('Backlog');
  expect(await only()).toMatchObject({ tags: ['In review'], isArchived: false });
  // Discord refused none.
  expect((await control('GET', '/calls')).calls['PATCH /channels/:id']).toBe(1);
  expect((await log(id))[0]).toMatchObject({ state: 'sent' });
  await change('Done');
  expect(await only()).toMatchObject({ tags: ['In review'], isArchived: true });
  await change('In progress');
  expect(await only()).toMatchObject({ tags: ['in progress'], isArchived: false });
});

test('tags that people gave a post stay when the page changes its own', async () => {
  await setTags({ tags: [...TAGS, 'Help wanted', 'Old'].map((name) => ({ name })) });
  await rule({ card: 'living' });
  await change('In progress');
  const { id } = await only();
  await control('PATCH', `/threads/${id}`, { tags: ['in progress', 'Help wanted', 'Old'] });
  await change('In review');
  expect(await only()).toMatchObject({ tags: ['In review', 'Help wanted', 'Old'] });
  await setTags({ tags: [...TAGS, 'Help wanted'].map((name) => ({ name })), requiresTag: true });
  await change('Backlog');
  expect(await only()).toMatchObject({ tags: ['Help wanted'] });
  await control('PATCH', `/threads/${id}`, { tags: ['in progress'] });
  await change('In progress');
  expect(await only()).toMatchObject({ tags: ['in progress'] });
  await change('Done');
  expect(await only()).toMatchObject({ tags: ['in progress'], isArchived: true });
});

test.each([
  ['another value', 'Backlog', []],
  ['the value before', 'In progress', ['in progress']],
])('a tag whose answer was lost goes with the next change, to %s', async (_, Status, tags) => {
  const { id } = await rule({ card: 'living' });
  await change('In progress');
  pipeline.fault({ target: 'discord', kind: 'hangup', match: 'PATCH .*/channels/[0-9]+$', times: 0 });
  await pipeline.edit(PAGE, { Status: 'In review' }, 'jonas');
  await eventually(async () => (await only()).tags.includes('In review'));
  await pipeline.edit(PAGE, { Status }, 'jonas');
  await eventually(async () => (await log(id)).length === 3);
  pipeline.story.product.sandbox.context.faults.clear();
  await pipeline.idle();
  expect(await only()).toMatchObject({ tags });
});

test('where every post needs a tag, what tells of several pages gets the first that the bot may set', async () => {
  const tags = [{ name: 'Staff', moderated: true }, ...TAGS.map((name) => ({ name }))];
  await setTags({ tags, requiresTag: true });
  await pipeline.story.product.control('discord', 'PUT', '/limits', { limits: 'off' });
  const timing = { kind: 'digest', every: 'hour' };
  const digest = await rule({ timing });
  await change('Done');
  await new DigestSteps(pipeline).tell();
  expect(await only()).toMatchObject({ name: 'What happened in Sprint board', tags: ['in progress'] });
  const preview = await call('POST', '/api/app/rules/preview', draft({ timing }));
  expect(preview.body.post.tags).toEqual(['in progress']);
  expect((await call('POST', '/api/app/rules/test', draft({ timing }))).status).toBe(200);
  expect((await posts()).at(-1)).toMatchObject({ tags: ['in progress'] });
  await call('DELETE', `/api/app/rules/${digest.id}`);

  const flood = await rule({ eventType: 'page_created', watchedProperties: [], rollUp: true });
  for (let nth = 0; nth < 12; nth += 1) {
    const body = { database: 'Sprint board', properties: { Name: `Copied ${nth}`, Status: 'In review' } };
    await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows', body));
  }
  await pipeline.settle();
  await pipeline.idle();
  expect((await log(flood.id)).map(({ state }: { state: string }) => state)).toEqual(Array(12).fill('sent'));
  expect((await posts()).at(-1)?.messages[0]?.content).toContain('and 2 more from ');
  await call('DELETE', `/api/app/rules/${flood.id}`);

  forum = await newForum();
  await setTags({ tags, requiresTag: true });
  await rule();
  const missed = new MissedChanges(pipeline);
  await missed.lookedAt(180);
  for (const nth of [1, 2, 3]) await missed.edit(`Copied ${nth}`, { Status: 'Backlog' }, 100);
  await missed.pass();
  expect(await only()).toMatchObject({ name: 'What happened in Notion', tags: ['in progress'] });
});

test('a preview says when the forum has none of the tags that it requires for the page', async () => {
  await pipeline.edit(PAGE, { Status: 'Playtesting' }, 'jonas');
  await setTags({ tags: TAGS.map((name) => ({ name })), requiresTag: true });
  await pipeline.lookAnew();
  const { body } = await call('POST', '/api/app/rules/preview', draft());
  expect(body.post).toEqual({ name: PAGE, tags: [] });
  expect(body.note).toContain(
    'The forum requires a tag on every post and has none for the value of this page',
  );
  await setTags({ tags: [{ name: 'Playtesting' }], requiresTag: true });
  await pipeline.lookAnew();
  const fits = (await call('POST', '/api/app/rules/preview', draft())).body;
  expect(fits.post.tags).toEqual(['Playtesting']);
  expect(fits.note).not.toContain('requires a tag');
});

test('a lost answer makes no second post and no second reply', async () => {
  await rule({ card: 'living' });
  pipeline.fault({ target: 'discord', kind: 'hangup', match: 'POST .*/channels/[0-9]+/threads$', times: 1 });
  await change('In progress');
  expect(replies(await only())).toEqual([]);
  expect(await used()).toBe(1);
  pipeline.fault({ target: 'discord', kind: 'hangup', match: '(POST|PATCH) .*/channels/', times: 3 });
  await change('Done');
  expect(await only()).toMatchObject({ isArchived: true });
  expect(replies(await only())).toEqual([expect.stringContaining('to Done')]);
  expect(await used()).toBe(1);
});

test('the cap of active threads, a lack of rights and a channel of another type are said', async () => {
  const { id } = await rule({ card: 'living' });
  const newest = async () => (await log(id))[0];
  await control('PUT', '/threads', { most: 0 });
  await change('In progress');
  expect(await newest()).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('as many active'),
  });
  await control('PUT', '/threads', { most: 1000 });
  await change('In review');
  expect(await newest()).toMatchObject({ state: 'sent' });

  await control('PUT', `/channels/${forum}/overwrite`, { deny: SEND_IN_THREADS });
  await change('Backlog');
  expect(await newest()).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('Send Messages in Threads'),
  });
  const check = async () => {
    await pipeline.lookAnew();
    return (await call('POST', `/api/app/rules/${id}/check`)).body.health;
  };
  expect((await check()).reason).toBe(
    'Send Messages in Threads is denied for the bot itself in this channel.',
  );
  await control('PUT', `/channels/${forum}/overwrite`, { deny: SEND });
  const other = 'Ash storm weather effect';
  await pipeline.prepare(other, { Status: 'Backlog' });
  await change('Done', other);
  expect(await newest()).toMatchObject({
    state: 'failed',
    reason: 'The bot may not send messages in the channel.',
  });
  await control('PUT', `/channels/${forum}/overwrite`, {});
  await db().rateLimit.deleteMany();
  await check();

  await control('PATCH', `/channels/${forum}`, { name: 'board', type: ChannelType.GuildText });
  await change('In progress', other);
  expect(await newest()).toMatchObject({ state: 'failed', reason: 'The channel is no longer a forum.' });
  expect(await check()).toMatchObject({
    state: 'blocked',
    reason: 'It is not a forum or media channel, and the rule makes posts.',
  });
});

test('a destination that does not fit is refused, and names itself', async () => {
  await pipeline.lookAnew();
  const refused = (body: Record<string, unknown>) => expect(pipeline.rule(body)).rejects;
  await refused({ channelId: forum }).toThrow('destination does not fit #board: It is a forum channel');
  await refused({ destination: { kind: 'forum' } }).toThrow(
    'destination does not fit #tasks: It is not a forum',
  );
  await refused({ channelId: forum, destination: { kind: 'forum', tagPropertyId: 'Nothing' } }).toThrow(
    'destination.tagPropertyId: Sprint board has no property \\"Nothing\\".',
  );
  await refused({ channelId: forum, destination: { kind: 'forum', tagPropertyId: 'Estimate' } }).toThrow(
    'destination.tagPropertyId: \\"Estimate\\" is not a status, select or multi-select.',
  );
  await refused({ destination: { kind: 'voice' } }).toThrow('destination.kind must be');
  await setTags({ tags: TAGS.map((name) => ({ name })), requiresTag: true });
  await pipeline.lookAnew();
  const everything = { databaseId: null, source: { kind: 'workspace' }, watchedProperties: [] };
  const inForum = { channelId: forum, destination: { kind: 'forum' } };
  await refused({ ...everything, ...inForum, eventType: 'page_created' }).toThrow(
    'destination does not fit #board: It requires a tag on every post, which only the pages of a database can give.',
  );
});

test('a digest and a flood are posts of their own', async () => {
  await pipeline.story.product.control('discord', 'PUT', '/limits', { limits: 'off' });
  const digest = await rule({ timing: { kind: 'digest', every: 'hour' } });
  await change('In progress');
  await new DigestSteps(pipeline).tell();
  const told = await only();
  expect(told).toMatchObject({ name: 'What happened in Sprint board', tags: [] });
  expect((await log(digest.id))[0]).toMatchObject({ messageUrl: expect.stringContaining(`/${told.id}/`) });
  await call('DELETE', `/api/app/rules/${digest.id}`);

  await rule({ eventType: 'page_created', watchedProperties: [], rollUp: true });
  for (let nth = 0; nth < 12; nth += 1) {
    const body = { database: 'Sprint board', properties: { Name: `Imported ${nth}`, Status: 'Backlog' } };
    await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows', body));
  }
  await pipeline.settle();
  await pipeline.idle();
  const all = await posts();
  expect(all).toHaveLength(12);
  const counter = all.filter(({ name }) => name === told.name).at(-1);
  expect(counter?.messages[0]?.content).toContain('and 2 more from ');
});

test('a preview and a test show the post; a rule is exported and imported with its tag', async () => {
  const { id } = await rule();
  const preview = await call('POST', '/api/app/rules/preview', draft());
  expect(preview.body.post).toMatchObject({ name: expect.any(String) });
  const test = await call('POST', '/api/app/rules/test', draft());
  expect(test.status).toBe(200);
  const [posted] = await posts();
  expect(posted?.name).toMatch(/^Test: /);
  expect(test.body.messageUrl).toContain(posted?.id);

  const file = (await call('GET', '/api/app/rules/export')).body;
  const tag = pipeline.story.property('Status');
  expect(file.rules[0]).toMatchObject({
    destination: { kind: 'forum', tagPropertyId: tag },
    names: { properties: { [tag]: 'Status' } },
  });
  file.rules[0].destination.tagPropertyId = 'elsewhere';
  file.rules[0].names.properties.elsewhere = 'Status';
  const { body } = await call('POST', '/api/app/rules/import', { file, apply: true });
  expect(body).toMatchObject({ created: 1 });
  const rules = await db().rule.findMany({ where: { id: { not: id } } });
  expect(rules.map(({ destination }) => destination)).toEqual([{ kind: 'forum', tagPropertyId: tag }]);
});
