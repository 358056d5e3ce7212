import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Chatter, type ShownMessage } from '@/lib/testing/chat';
import { drainTurns } from '@/lib/testing/drain-turns';
import { Pipeline } from '@/lib/testing/pipeline';
import { PipelineProcess } from '@/lib/testing/pipeline-process';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { runUpkeep } from '@/lib/worker/upkeep';
import { PEOPLE } from '../../../sandbox/people';
import { pageTurns } from '../changes/page-turns';

let pipeline: Pipeline;
let mira: Chatter;
let jonas: Chatter;
const worker = new PipelineProcess(0);

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  const { product, channel } = pipeline.story;
  mira = new Chatter(product, 'mira', channel('tasks'));
  jonas = new Chatter(product, 'jonas', channel('tasks'));
  await product.work();
  await eventually(async () => !(await mira.run('help')).error);
});
afterAll(async () => {
  await worker.kill();
  await pipeline.story.product.stop();
});
beforeEach(async () => {
  await pipeline.story.product.work();
  await pipeline.idle();
  await pipeline.clear();
  await db().accountLink.deleteMany({ where: { discordUserId: jonas.userId } });
});

const control = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.control('discord', method, path, body);
const used = async () =>
  (await pipeline.story.product.call('mira', 'GET', '/api/app/me')).body.subscription.notificationsUsed;
const fetchesOf = async (title: string) => pipeline.fetches(await pipeline.pageId(title));

/** Lets somebody write a message, from which Mira makes a task. Returns the message. */
async function made(title: string, by = jonas, status?: string): Promise<ShownMessage> {
  await by.act('say', { content: title });
  const said = await eventually(async () => (await by.everything()).find(({ content }) => content === title));
  await makeTask(said, title, status);
  return said;
}

/** Lets Mira make a task from a message. */
async function makeTask(said: ShownMessage, title: string, status?: string): Promise<void> {
  await mira.act('message-command', { name: 'Create Notion task', targetId: said.id });
  const { id, modal } = await mira.lastInteraction();
  const option = modal.components[1]?.component.options?.find(({ label }) => label === status);
  await mira.submit(id, { title: [title], ...(option && { status: [option.value] }) });
  expect((await mira.answer()).content).toMatch(/^Created/);
  // An edit within the same moment would count as part of the creation.
  const pageId = await pipeline.pageId(title);
  const isTold = ({ state, payload }: { state: string; payload: { entity: { id: string } } }) =>
    payload.entity.id === pageId && state === 'sent';
  await eventually(async () => (await pipeline.events()).some(isTold));
  await pipeline.idle();
}

async function change(title: string, Status: string, as = 'mira'): Promise<void> {
  await pipeline.edit(title, { Status }, as);
  await pipeline.idle();
}

/** The bot's replies to a message. */
async function replies({ id }: ShownMessage) {
  const all = (await mira.everything()) as (ShownMessage & { replyTo: { messageId: string } | null })[];
  return all.filter(({ replyTo }) => replyTo?.messageId === id);
}

test('a message gets one reply when its task is completed, edited when it is reopened, without any rule', async () => {
  const said = await made('Fix the lantern');
  await change('Fix the lantern', 'In review');
  expect(await replies(said)).toEqual([]);
  await change('Fix the lantern', 'Done');
  const [reply] = await replies(said);
  expect(reply).toMatchObject({ content: 'Done by Mira Castellan', edits: 0, flags: 0 });
  // It notifies the author of the message, and nobody else.
  expect(reply?.pings).toEqual({ users: [jonas.userId], roles: [], everyone: false });
  expect(await used()).toBe(1);

  await change('Fix the lantern', 'Backlog', 'jonas');
  const [reopened, ...others] = await replies(said);
  expect(others).toEqual([]);
  expect(reopened).toMatchObject({ id: reply?.id, content: 'Reopened by Jonas Brandt', edits: 1 });
  await change('Fix the lantern', 'Done', 'jonas');
  await pipeline.edit('Fix the lantern', { Estimate: 5 });
  await pipeline.idle();
  expect(await replies(said)).toMatchObject([{ id: reply?.id, content: 'Done by Jonas Brandt', edits: 2 }]);
  expect(await used()).toBe(1);
});

test('nobody is notified of what they did themselves, and what was done in Discord is the person’s', async () => {
  const { accountId } = await db().accountLink.findFirstOrThrow({ where: { discordUserId: mira.userId } });
  await db().accountLink.create({
    data: {
      accountId,
      discordUserId: jonas.userId,
      notionUserId: PEOPLE[1]?.notionId ?? '',
      notionDisplayName: 'Jonas Brandt',
    },
  });
  const own = await made('My own wish');
  await change('My own wish', 'Done', 'jonas');
  expect(await replies(own)).toMatchObject([{ content: 'Done by Jonas Brandt', pings: { users: [] } }]);

  const asked = await made('A wish to Mira');
  await mira.run('find', { title: 'A wish to Mira' });
  await mira.choose(await mira.answer(), 'A wish to Mira');
  const page = await mira.answer();
  await mira.press(page, 'Change status');
  const menu = await mira.answer();
  await mira.choose(menu, 'Done');
  await mira.answer(({ content }) => content !== menu.content);
  await pipeline.idle();
  const done = { content: 'Done by Mira Castellan', pings: { users: [jonas.userId] } };
  await eventually(async () => (await replies(asked)).length > 0);
  expect(await replies(asked)).toMatchObject([done]);

  // A task that is already done when it is made.
  const late = await made('Done long ago', jonas, 'Done');
  expect(await replies(late)).toMatchObject([done]);
});

test('only a change that can complete a page which has an echo has it read', async () => {
  await made('Seldom read');
  await pipeline.clear();
  await pipeline.edit('Seldom read', { Estimate: 2 });
  await pipeline.edit('Boss fight: ember golem', { Estimate: 21 });
  await pipeline.idle();
  expect([await fetchesOf('Seldom read'), await fetchesOf('Boss fight: ember golem')]).toEqual([0, 0]);
  expect(await pipeline.outcomes()).toEqual(['unchanged', 'no_rules']);
});

test('a message, a reply or a channel that is gone breaks nothing', async () => {
  const gone = await made('Message deleted');
  await control('DELETE', `/messages/${gone.channelId}/${gone.id}`);
  await change('Message deleted', 'Done');
  expect((await pipeline.cards()).at(-1)).toMatchObject({ content: 'Done by Mira Castellan', replyTo: null });

  const said = await made('Reply deleted');
  await change('Reply deleted', 'Done');
  const [reply] = await replies(said);
  await control('DELETE', `/messages/${said.channelId}/${reply?.id}`);
  await change('Reply deleted', 'Backlog');
  await change('Reply deleted', 'Done');
  expect(await replies(said)).toEqual([]);

  const refused = await made('No access');
  const channel = pipeline.story.channel('tasks');
  await control('PUT', `/channels/${channel}/overwrite`, { allow: '0', deny: String(1 << 11) });
  await change('No access', 'Done');
  expect(await db().message.findMany({ where: { state: 'failed', kind: 'post' } })).toHaveLength(1);
  await change('No access', 'Backlog');
  // It is told once Discord accepts messages there again.
  await control('PUT', `/channels/${channel}/overwrite`, {});
  await db().channelProblem.deleteMany();
  await change('No access', 'Done');
  expect(await replies(refused)).toMatchObject([{ content: 'Done by Mira Castellan' }]);
  expect(await db().message.count({ where: { state: 'waiting' } })).toBe(0);
});

describe('where Discord takes no reply', () => {
  const tasks = () => pipeline.story.channel('tasks');
  /** What the bot has said of Jonas's message, which is no reply. */
  const told = async () => {
    const all = (await mira.everything()) as (ShownMessage & { replyTo: unknown })[];
    return all.filter(({ content, replyTo }) => replyTo === null && content.includes(`<@${jonas.userId}> `));
  };
  const done = () => ({
    content: `<@${jonas.userId}> Done by Mira Castellan`,
    pings: { users: [jonas.userId] },
  });

  beforeEach(async () => {
    for (const { channelId, id } of await told()) await control('DELETE', `/messages/${channelId}/${id}`);
  });

  test('because the bot may not read the history, a message mentions the author and is edited later', async () => {
    await made('Unread');
    await control('PUT', `/channels/${tasks()}/overwrite`, { deny: String(1n << 16n) });
    const before = await used();
    await change('Unread', 'Done');
    const [said] = await told();
    expect(await told()).toMatchObject([done()]);
    expect(await used()).toBe(before + 1);
    await change('Unread', 'Backlog');
    expect((await mira.everything()).find(({ id }) => id === said?.id)?.content).toMatch(/^Reopened by Mira/);
    expect(await told()).toEqual([]);
  });

  test('because the other message is Discord’s own, a message mentions the author', async () => {
    const { id } = await control('POST', `/channels/${tasks()}/join-message`, { person: 'jonas' });
    const joined = await eventually(async () => (await mira.everything()).find((each) => each.id === id));
    await makeTask(joined, 'Welcome');
    await change('Welcome', 'Done');
    expect(await told()).toMatchObject([done()]);
  });

  test('the message is there once although its answer is lost', async () => {
    await made('Unread and lost');
    await control('PUT', `/channels/${tasks()}/overwrite`, { deny: String(1n << 16n) });
    pipeline.fault({ target: 'discord', match: '^POST .*/messages$', kind: 'hangup', after: 1 });
    await change('Unread and lost', 'Done');
    expect(await told()).toMatchObject([done()]);
  });
});

test('a reply whose answer is lost, or whose worker is killed, is there once and says how it ended', async () => {
  const lost = await made('Answer lost');
  pipeline.fault({ target: 'discord', match: '^POST .*/messages$', kind: 'hangup' });
  await change('Answer lost', 'Done');
  expect(await replies(lost)).toHaveLength(1);

  const killed = await made('Worker killed');
  await pipeline.story.product.rest();
  await pipeline.edit('Worker killed', { Status: 'Done' });
  await control('DELETE', '/calls');
  pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'slow', delayMs: 9000 });
  await worker.start();
  const asked = async () => (await control('GET', '/calls')).calls['POST /channels/:id/messages'];
  await expect.poll(asked).toBe(1);
  await worker.kill();
  pipeline.story.product.sandbox.context.faults.release();
  // Reopened before anybody knows whether the reply was posted.
  await pipeline.edit('Worker killed', { Status: 'Backlog' }, 'jonas');
  await pipeline.story.product.work();
  await pipeline.idle();
  expect(await replies(killed)).toMatchObject([{ content: 'Reopened by Jonas Brandt' }]);
  expect(await db().taskEcho.count({ where: { isDone: false } })).toBeGreaterThan(0);
});

test('it ends with its server, and 13 months after the last news', async () => {
  await made('Forgotten');
  const before = await db().taskEcho.count();
  await db().$executeRaw`
    update task_echo set last_event_at = now() - interval '14 months' where page_id = ${await pipeline.pageId('Forgotten')}`;
  await runUpkeep();
  expect(await db().taskEcho.count()).toBe(before - 1);

  await made('Disconnected');
  await pipeline.story.product.rest();
  await pipeline.edit('Disconnected', { Status: 'Done' });
  await drainTurns(pageTurns(null));
  expect(await db().message.count({ where: { state: 'waiting' } })).toBe(1);
  expect((await pipeline.story.product.call('mira', 'DELETE', '/api/app/discord/server')).status).toBe(200);
  expect([await db().taskEcho.count(), await db().message.count({ where: { state: 'waiting' } })]).toEqual([
    0, 0,
  ]);
});
