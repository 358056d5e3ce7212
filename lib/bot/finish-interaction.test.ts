import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seal } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import { type FinishJob, openAnswer } from '@/lib/features/tasks/interactions';
import type { TaskDraft } from '@/lib/features/tasks/schema';
import { Chatter, type ShownInteraction, type ShownMessage } from '@/lib/testing/chat';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { whileLocked } from '@/lib/testing/while-locked';
import { MINUTE_MS } from '@/lib/time';
import { finishInteraction } from './finish-interaction';
import { EMPTY_DRAFT } from './task-modal';

const THINKING = 1 << 7;
const FIND = { kind: 'find', text: 'golem' };
let story: Awaited<ReturnType<typeof startConnectedProduct>>;
let mira: Chatter;

beforeAll(async () => {
  story = await startConnectedProduct();
  mira = new Chatter(story.product, 'mira', story.channel('tasks'));
  await story.product.work();
  await eventually(async () => !(await mira.run('help')).error);
  await story.product.rest();
});
afterAll(() => story.product.stop());
beforeEach(() => story.product.sandbox.context.faults.clear());

/** Runs a search without a worker; returns its job as the queue holds it, with the given age. */
async function deferred(ageMs = 0, work: object = FIND) {
  await mira.run('find', { title: 'golem' });
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
  return jobOf(await mira.lastInteraction(), ageMs, work);
}

function jobOf({ id, token, guildId, channelId, userId }: ShownInteraction, ageMs = 0, work: object = FIND) {
  const receivedAt = new Date(Date.now() - ageMs);
  const content = { token, guildId, channelId, userId, receivedAt, work };
  const sealed = Buffer.from(seal(JSON.stringify(content), `interaction:${id}`)).toString('base64');
  const shown = async () => {
    const { originalId } = await mira.lastInteraction();
    return (await mira.everything()).find((message) => message.id === originalId);
  };
  return { id, job: { interactionId: id, sealed, lane: null }, shown };
}

/** Makes a task in Notion and defers a change of it; done, unless something else is asked for. */
async function changing(title: string, ageMs = 0, asked: object = { kind: 'complete' }) {
  const made = { database: story.board.id, properties: { Name: title, Status: 'Backlog' } };
  const { id: pageId } = await story.product.control('notion', 'POST', '/rows', made);
  return deferred(ageMs, { ...asked, pageId, databaseId: story.board.dataSourceId, messageId: null });
}

const creation = (draft: Partial<TaskDraft>) => ({
  kind: 'create-task',
  databaseId: story.board.dataSourceId,
  draft: { ...EMPTY_DRAFT, ...draft },
});

const TOO_OLD_MS = 14 * MINUTE_MS + 1000;
const TOO_LATE = /^Pagewire could not answer your request in <#\d+> in time\. /;

/** Runs a job that comes too late, twice, and lets a worker send the one direct message that it leaves. */
async function toldDirectly(job: FinishJob): Promise<ShownMessage> {
  for (const _ of [1, 2]) expect(await finishInteraction(job)).toEqual({ done: true });
  expect(await db().message.count({ where: { kind: 'direct', state: 'waiting' } })).toBe(1);
  await story.product.work();
  await eventually(async () => (await db().message.count({ where: { state: 'waiting' } })) === 0);
  await story.product.rest();
  const { messages } = await story.product.control('discord', 'GET', `/direct-messages/${mira.userId}`);
  return messages.at(-1);
}

/** Runs a job while the table of databases cannot be read. */
async function finishWithoutDatabases(job: FinishJob): Promise<void> {
  await db().$executeRaw`alter table notion_database rename to notion_database_away`;
  await finishInteraction(job).finally(
    () => db().$executeRaw`alter table notion_database_away rename to notion_database`,
  );
}

const calls = async (pattern: RegExp) => {
  const all: { calls: Record<string, number> } = await story.product.control('discord', 'GET', '/calls');
  return Object.entries(all.calls)
    .filter(([call]) => pattern.test(call))
    .reduce((sum, [, count]) => sum + count, 0);
};

const fault = (changes: object) =>
  story.product.sandbox.context.faults.add({
    target: 'notion',
    kind: 'fail',
    times: 0,
    status: 503,
    delayMs: 100,
    ...changes,
  });

describe('a deferred answer', () => {
  test('ends with the result, once, however often its job runs', async () => {
    const { job, shown } = await deferred();
    expect(Number((await shown())?.flags) & THINKING).toBe(THINKING);
    expect(await finishInteraction(job)).toEqual({ done: true });
    const answer = await shown();
    expect(answer?.content).toBe('Pages with "golem" in the title');
    expect(await finishInteraction(job)).toEqual({ done: true });
    expect((await shown())?.edits).toBe(answer?.edits);
  });

  test('waits a little for a Notion that is down, then ends with a sentence and a reference', async () => {
    fault({});
    const young = await deferred();
    expect(await finishInteraction(young.job)).toEqual({ retryInMs: expect.any(Number) });
    expect(Number((await young.shown())?.flags) & THINKING).toBe(THINKING);
    const old = await deferred(19_000);
    expect(await finishInteraction(old.job)).toEqual({ done: true });
    expect((await old.shown())?.content).toBe(
      `Notion does not answer. Try again in a minute. Reference: ${old.id}`,
    );
  });

  test('about a Notion that asks for a long pause does not promise that a minute is enough', async () => {
    fault({ status: 429, retryAfterSeconds: 600 });
    const { id, job, shown } = await deferred();
    expect(await finishInteraction(job)).toEqual({ done: true });
    expect((await shown())?.content).toBe(
      `Notion asks Pagewire to wait a while. Try again later. Reference: ${id}`,
    );
  });

  test('about a task that Notion may still create says so, and the task is created again only afterwards', async () => {
    const { id, job, shown } = await deferred(30_000, creation({ title: 'Unanswered' }));
    fault({ match: '^POST /v1/pages$', status: 504, times: 1 });
    expect(await finishInteraction(job)).toEqual({ retryInMs: expect.any(Number) });
    expect(await finishInteraction(job)).toEqual({ retryInMs: expect.any(Number) });
    expect((await shown())?.content).toMatch(/^Notion has not confirmed this yet/);
    // A minute later.
    await db().chatInteraction.update({ where: { id }, data: { createEndsAt: new Date() } });
    expect(await finishInteraction(job)).toEqual({ done: true });
    expect((await shown())?.content).toMatch(/^Created \[Unanswered\]/);
  });

  test('about a task that may have been created says so also when its database is no longer shared', async () => {
    const databaseId = story.board.dataSourceId;
    const { job, shown } = await deferred(0, creation({ title: 'Perhaps hidden' }));
    fault({ kind: 'hangup', match: '^POST /v1/pages$', times: 1, status: 500 });
    expect(await finishInteraction(job)).toEqual({ retryInMs: expect.any(Number) });
    await db().notionDatabase.updateMany({ where: { id: databaseId }, data: { isShared: false } });
    await finishInteraction(job);
    await db().notionDatabase.updateMany({ where: { id: databaseId }, data: { isShared: true } });
    expect((await shown())?.content).toMatch(/^Notion did not confirm the task\./);
  });

  test('about one of two tasks that have the same title and were not confirmed names that one', async () => {
    const work = creation({ title: 'Twice at once' });
    fault({ kind: 'hangup', match: '^POST /v1/pages$', times: 2, status: 500 });
    const both = [await deferred(0, work), await deferred(0, work)];
    for (const { job } of both) {
      expect(await finishInteraction(job)).toEqual({ retryInMs: expect.any(Number) });
    }
    const finish = () => Promise.all(both.map(({ job }) => finishInteraction(job)));
    let first: Promise<unknown> | undefined;
    // Both have found both tasks before either takes one.
    await whileLocked('select 1 from chat_interaction for update', async (blocked) => {
      first = finish();
      await blocked(2);
    });
    await first;
    await eventually(async () => (await finish()).every((end) => 'done' in end));
    const ids = both.map(({ id }) => id);
    const made = await db().chatInteraction.findMany({ where: { id: { in: ids } } });
    expect(made.map(({ pageId }) => pageId)).not.toContain(null);
    expect((await both[1]?.shown())?.content).toMatch(/^Created \[Twice at once\]/);
  });

  test('about a change that Notion may still make ends with what became of it', async () => {
    const { job, shown } = await changing('Slowly done', 21_000);
    fault({ kind: 'hangup', match: '^PATCH /v1/pages/', times: 1 });
    expect(await finishInteraction(job)).toEqual({ retryInMs: expect.any(Number) });
    expect((await shown())?.content).toMatch(/^Notion has not confirmed this yet/);
    expect(await finishInteraction(job)).toEqual({ done: true });
    expect((await shown())?.content).toMatch(/^Status of \[Slowly done\]\(.*\) is now Done\.$/);
  });

  test.each([{ kind: 'complete' }, { kind: 'assign', assignee: null }])(
    'about a $kind that Notion may still make waits for it also while the page cannot be read',
    async (asked) => {
      const { job, shown } = await changing('Slowly read', 21_000, asked);
      fault({ kind: 'hangup', match: '^PATCH /v1/pages/', times: 1 });
      expect(await finishInteraction(job)).toEqual({ retryInMs: expect.any(Number) });
      fault({ match: '^GET /v1/pages/', times: 1 });
      expect(await finishInteraction(job)).toEqual({ retryInMs: expect.any(Number) });
      expect(await finishInteraction(job)).toEqual({ done: true });
      expect((await shown())?.content).toMatch(/Slowly read/);
    },
  );

  test('about a page that Notion shows in an unknown shape is tried again', async () => {
    const { job, shown } = await changing('Oddly shown');
    fault({ kind: 'reshape', match: '^GET /v1/pages/', times: 1 });
    expect(await finishInteraction(job)).toEqual({ retryInMs: expect.any(Number) });
    expect(await finishInteraction(job)).toEqual({ done: true });
    expect((await shown())?.content).toMatch(/is now Done\.$/);
  });

  test('about a change that Notion may have made never says that nothing was changed', async () => {
    const { job, shown } = await changing('Perhaps done');
    fault({ kind: 'hangup', match: '^PATCH /v1/pages/', times: 1 });
    expect(await finishInteraction(job)).toEqual({ retryInMs: expect.any(Number) });
    fault({ match: '^GET /v1/pages/', times: 1, status: 403 });
    expect(await finishInteraction(job)).toEqual({ done: true });
    expect((await shown())?.content).toMatch(/^Notion did not confirm the change\./);
  });

  test.each([409, 529])(
    'about a task that Notion did not take (%i) does not say that it may exist',
    async (status) => {
      const { job, shown } = await deferred(19_000, creation({ title: `Not taken: ${status}` }));
      fault({ match: '^POST /v1/pages$', status });
      expect(await finishInteraction(job)).toEqual({ done: true });
      expect((await shown())?.content).toMatch(
        /^Notion does not answer\. Try again in a minute\. Reference: /,
      );
    },
  );

  test('about a comment that Notion refuses does not blame its database', async () => {
    const comment = { kind: 'comment', text: 'Looks good to me', name: 'Mira' };
    const { job, shown } = await changing('Not to be discussed', 0, comment);
    fault({ match: '^POST /v1/comments$', status: 400 });
    expect(await finishInteraction(job)).toEqual({ done: true });
    const answer = await shown();
    expect(answer?.content).toMatch(/^Notion refused this\. Nothing was changed\. Reference: /);
    expect(answer?.embeds).toEqual([expect.objectContaining({ description: 'Looks good to me' })]);
  });

  test('about a task that fails for a reason of ours keeps what was written', async () => {
    const { job, shown } = await deferred(0, creation({ title: 'Kept', description: 'A long story' }));
    await finishWithoutDatabases(job);
    const answer = await shown();
    expect(answer?.content).toMatch(/^Something went wrong\. Reference: \d+$/);
    await mira.press(answer as ShownMessage, 'Fill in again');
    const { modal } = await mira.lastInteraction();
    expect(modal.components.map(({ component }) => component.value)).toContain('A long story');
  });

  test('about a task that may have been created says so also when something of ours fails afterwards', async () => {
    const { job, shown } = await deferred(0, creation({ title: 'Perhaps twice' }));
    fault({ kind: 'hangup', match: '^POST /v1/pages$', times: 1, status: 500 });
    expect(await finishInteraction(job)).toEqual({ retryInMs: expect.any(Number) });
    await finishWithoutDatabases(job);
    expect((await shown())?.content).toMatch(/^Notion did not confirm the task\./);
  });

  test('ends with a sentence when the server was disconnected meanwhile', async () => {
    const { job, shown } = await deferred();
    const server = await db().discordServer.findFirstOrThrow();
    await db().discordServer.delete({ where: { id: server.id } });
    expect(await finishInteraction(job)).toEqual({ done: true });
    expect((await shown())?.content).toMatch(/^This server is not connected to a Notion workspace/);
    await db().discordServer.create({ data: { ...server, channels: [], roles: [] } });
  });

  test('is given up after fourteen minutes without another call', async () => {
    const { job } = await deferred(TOO_OLD_MS);
    const before = await calls(/webhooks/);
    expect(await finishInteraction(job)).toEqual({ done: true });
    expect(await calls(/webhooks/)).toBe(before);
    expect(await db().message.count({ where: { kind: 'direct' } })).toBe(0);
  });

  test('to a form is given up with a direct message that gives back what was written', async () => {
    const draft = { title: 'Buy *paint*', description: 'The blue one' };
    const { id, job } = await deferred(TOO_OLD_MS, creation(draft));
    const told = await toldDirectly(job);
    expect(told.content.replace(TOO_LATE, '')).toBe(`Nothing was changed. Try again. Reference: ${id}`);
    expect(told.embeds[0]?.description).toBe('Buy \\*paint\\*\n\nThe blue one');
  });

  test('to a change that was made is given up with a direct message that says so', async () => {
    const { id, job } = await changing('Done, and not answered');
    fault({ target: 'discord', match: '^PATCH .*@original', times: 1, status: 502 });
    expect(await finishInteraction(job)).toEqual({ retryInMs: expect.any(Number) });
    const older = jobOf(await mira.lastInteraction(), TOO_OLD_MS, openAnswer(job).work);
    const told = await toldDirectly(older.job);
    expect(told.content.replace(TOO_LATE, '')).toBe(`It was carried out. Reference: ${id}`);
  });

  test('is given up quietly when Discord no longer accepts it', async () => {
    const { job, shown } = await deferred(MINUTE_MS);
    const { url } = { url: story.product.sandbox.context.urls.identity };
    await fetch(`${url}/_sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advanceMs: 16 * 60_000 }),
    });
    expect(await finishInteraction(job)).toEqual({ done: true });
    expect(Number((await shown())?.flags) & THINKING).toBe(THINKING);
  });

  test('is tried again while Discord does not answer', async () => {
    const { job, shown } = await deferred();
    fault({ target: 'discord', match: '^PATCH .*@original', times: 1, status: 502 });
    expect(await finishInteraction(job)).toEqual({ retryInMs: expect.any(Number) });
    expect(await finishInteraction(job)).toEqual({ done: true });
    expect((await shown())?.content).toContain('golem');
  });

  test('is tried again when it is ready before Discord has the acknowledgement', async () => {
    fault({ target: 'interaction', kind: 'delay', times: 1, delayMs: 60_000 });
    const before = (await mira.lastInteraction()).id;
    const running = mira.run('find', { title: 'golem' });
    const early = await eventually(async () => {
      const last = await mira.lastInteraction();
      return last.id !== before && last;
    });
    const { accountId } = await db().discordServer.findFirstOrThrow();
    await db().chatInteraction.create({ data: { id: early.id, accountId } });
    const { job, shown } = jobOf(early);
    expect(await finishInteraction(job)).toEqual({ retryInMs: expect.any(Number) });
    story.product.sandbox.context.faults.release();
    await running;
    expect(await finishInteraction(job)).toEqual({ done: true });
    expect((await shown())?.content).toContain('golem');
  });

  test('that Discord refuses ends with a plain sentence and a reference', async () => {
    const { id, job, shown } = await deferred();
    fault({ target: 'discord', match: '^PATCH .*@original', times: 1, status: 400 });
    expect(await finishInteraction(job)).toEqual({ done: true });
    expect((await shown())?.content).toBe(
      `Discord did not accept the answer. Look in Notion before you try again. Reference: ${id}`,
    );
  });

  test('keeps its token sealed in the queue', async () => {
    await mira.run('find', { title: 'golem' });
    const { token } = await mira.lastInteraction();
    const [row] = await db().$queryRaw<{ payload: string }[]>`
      select string_agg(payload::text, '') as payload from graphile_worker._private_jobs`;
    expect(row?.payload).toContain('sealed');
    expect(row?.payload).not.toContain(token);
    await db().$executeRaw`delete from graphile_worker._private_jobs`;
  });
});
