import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { databasePool, db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { untilBlocked, whileLocked } from '@/lib/testing/while-locked';
import { HOUR_MS, MINUTE_MS } from '@/lib/time';
import { pageTurns } from './page-turns';

const GOLEM = 'Boss fight: ember golem';
let pipeline: Pipeline;
let mira: string;
let vera: string;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  const { product, board } = pipeline.story;
  const guilds: { id: string; name: string; channels: { id: string; name: string }[] }[] =
    await product.control('discord', 'GET', '/guilds');
  const moth = guilds.find(({ name }) => name === 'Moth & Flame');
  await product.installBot('vera', moth?.id ?? '');
  await product.connectNotion('vera', [board.id], 'jonas');
  pipeline.story.guild.channels.push(...(moth?.channels ?? []));
  const workspaces = await db().notionWorkspace.findMany({ orderBy: { connectedAt: 'asc' } });
  [mira, vera] = workspaces.map(({ id }) => id) as [string, string];
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.work();
  await pipeline.idle();
  await pipeline.clear();
});

async function addTurns(workspaceId: string, count: number, secondsAgo: number): Promise<void> {
  await db().$executeRaw`
    insert into page_turn (workspace_id, page_id, due_at)
    select ${workspaceId}::uuid, 'page ' || nr, now() - (${secondsAgo} + 1.0 / nr) * interval '1 second'
    from generate_series(1, ${count}::int) as nr`;
}
const addWorkspace = (id: string, name: string) =>
  db().notionWorkspace.create({
    data: {
      id,
      name,
      notionWorkspaceId: name,
      botId: name,
      sealedTokens: Buffer.alloc(0),
      account: { create: { subject: name, trialEndsAt: new Date() } },
    },
  });
const of = (turns: { workspaceId: string }[], id: string) =>
  turns.filter(({ workspaceId }) => workspaceId === id).length;

test.each([100, 2000])('a connection with %d pages waiting does not starve another', async (pages) => {
  await pipeline.story.product.rest();
  await addTurns(mira, pages, 60);
  await addTurns(vera, 2, 1);
  const table = pageTurns(null);
  const first = await table.claim(100);
  expect([of(first, mira), of(first, vera)]).toEqual([49, 2]);
  // While those are being worked, the busy connection gets no more turns than there are free ones.
  const working = Promise.all(first.map((turn) => table.work(turn)));
  expect(await table.claim(49)).toEqual([]);
  await working;
  expect(of(await table.claim(200), mira)).toBe(Math.min(pages - 49, 64));
  await db().pageTurn.deleteMany();
});

test('a connection does not starve those before it in the rotation', async () => {
  await pipeline.story.product.rest();
  const [first = '', last = ''] = [mira, vera].toSorted();
  await addTurns(last, 2000, 60);
  const table = pageTurns(null);
  expect(of(await table.claim(10), last)).toBe(5);
  await addTurns(first, 1, 1);
  const claims = [await table.claim(10), await table.claim(10)];
  expect(of(claims.flat(), first)).toBe(1);
  await db().pageTurn.deleteMany();
});

test('connections that take all turns they can get leave some for another', async () => {
  await pipeline.story.product.rest();
  const busy = Array.from({ length: 8 }, (_, nr) => ({ id: randomUUID(), name: `busy ${nr}` }));
  for (const { id, name } of busy) {
    await addWorkspace(id, name);
    await addTurns(id, 64, 60);
  }
  const table = pageTurns(null);
  const first = await table.claim(256);
  expect(busy.map(({ id }) => of(first, id))).toEqual([29, 29, 29, 29, 28, 28, 28, 28]);
  await addTurns(vera, 2, 1);
  const working = Promise.all(first.map((turn) => table.work(turn)));
  // A claim goes on in the rotation where the last one ended, so the second one comes round.
  const next = [await table.claim(28), await table.claim(28)].flat();
  expect(of(next, vera)).toBe(2);
  await working;
  await db().account.deleteMany({ where: { subject: { startsWith: 'busy' } } });
  await db().pageTurn.deleteMany();
});

test('a connection is found behind many that have nothing due, while the busiest can get no more turns', async () => {
  await pipeline.story.product.rest();
  const last = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
  for (const id of [last, ...Array.from({ length: 70 }, () => randomUUID())]) {
    await addWorkspace(id, `quiet ${id}`);
    if (id !== last) await addTurns(id, 1, -3600);
  }
  await addTurns(mira, 2000, 60);
  const table = pageTurns(null);
  const first = await table.claim(100);
  const working: Promise<unknown>[] = [];
  let claimed = 0;
  await whileLocked(`select 1 from notion_workspace where id = '${mira}' for update`, async () => {
    working.push(...first.map((turn) => table.work(turn)));
    expect(await table.claim(10)).toEqual([]);
    await addTurns(last, 1, 1);
    for (let claim = 0; claim < 30; claim += 1) claimed += of(await table.claim(10), last);
  });
  await Promise.all(working);
  await db().account.deleteMany({ where: { subject: { startsWith: 'quiet' } } });
  await db().pageTurn.deleteMany();
  expect(claimed).toBe(1);
});

test('a turn is leased to one worker at a time, and claimed by another once the lease has run out', async () => {
  await pipeline.story.product.rest();
  await addTurns(mira, 1, 1);
  const [turn] = await pageTurns(null).claim(10);
  expect(await pageTurns(null).claim(10)).toEqual([]);
  await db().$executeRaw`update page_turn set leased_until = now() - interval '1 second'`;
  const [again] = await pageTurns(null).claim(10);
  expect(again?.pageId).toBe(turn?.pageId);
  // The first worker continues, but only the second can save what it decided. That is no failure of the first.
  expect(turn && (await pageTurns(null).work(turn))).toBeNull();
  expect(await db().pageTurn.count()).toBe(1);
  if (again) await pageTurns(null).work(again);
  expect(await db().pageTurn.count()).toBe(0);
});

test('a turn whose workspace is disconnected meanwhile is over', async () => {
  await pipeline.story.product.rest();
  const id = randomUUID();
  await addWorkspace(id, 'leaving');
  await addTurns(id, 1, 1);
  const [turn] = await pageTurns(null).claim(10);
  await db().account.deleteMany({ where: { subject: 'leaving' } });
  expect(turn && (await pageTurns(null).work(turn))).toBeNull();
});

test('a page whose rule is deleted while it is saved is not read again, and no statement fails', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  const [going, staying] = [await pipeline.rule({ rollUp: true }), await pipeline.rule({ rollUp: true })];
  await pipeline.edit(GOLEM, { Status: 'In progress' });
  await pipeline.idle();
  await pipeline.story.product.rest();
  const before = await pipeline.fetches(await pipeline.pageId(GOLEM));
  await pipeline.edit(GOLEM, { Status: 'Done' });
  const table = pageTurns(null);
  const [turn] = await table.claim(1);
  const deletion = await databasePool().connect();
  await deletion.query(`begin; delete from rule where id = '${going.id}'`);
  const working = turn && table.work(turn);
  await untilBlocked(1);
  await deletion.query('commit');
  deletion.release();
  expect(await working).toBeNull();
  expect(await pipeline.fetches(await pipeline.pageId(GOLEM))).toBe(before + 1);
  expect((await db().decision.findMany()).map(({ ruleId }) => ruleId)).toEqual([staying.id, staying.id]);
});

test('a page that our bot created is credited to the person, also when its id becomes known during the turn', async () => {
  const { guild, channel, product } = pipeline.story;
  await product.rest();
  await pipeline.rule({ eventType: 'page_created', atOnce: true, watchedProperties: [] });
  const { botId } = await db().notionWorkspace.findUniqueOrThrow({ where: { id: mira } });
  const pageId = await pipeline.pageId(GOLEM);
  const write = { interactionId: guild.id, workspaceId: mira, discordUserId: '42', at: new Date() };
  await db().pageWrite.create({ data: { ...write, channelId: channel('general') } });
  expect((await pipeline.send({ pageId, type: 'page.created', authors: [botId] })).status).toBe(200);
  const [turn] = await pageTurns(null).claim(1);
  await db().pageWrite.update({ where: { interactionId: guild.id }, data: { pageId } });
  if (turn) expect(await pageTurns(null).work(turn)).toEqual(expect.any(Number));
  await product.work();
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([expect.stringContaining('Created by <@42>')]);
});

test('a connection that Notion limits waits as long as Notion says, and no other waits', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  await pipeline.rule({ channelId: pipeline.story.channel('orders') }, 'vera');
  const blockedUntil = new Date(Date.now() + HOUR_MS);
  await db().rateLimit.create({ data: { key: `notion:${mira}`, blockedUntil } });
  const { payload } = await pipeline.edit(GOLEM, { Status: 'Done' });
  await expect.poll(() => pipeline.lines('orders')).toHaveLength(1);
  const turns = async () =>
    (await db().pageTurn.findMany()).map(({ workspaceId, dueAt }) => [workspaceId, dueAt]);
  await expect.poll(turns).toEqual([[mira, blockedUntil]]);
  expect(await pipeline.fetches(payload.entity.id)).toBe(1);
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
});

test('when Notion answers 429 with a minute to wait, every page of the connection waits exactly so long', async () => {
  const rows: { title: string }[] = await pipeline.story.product.control(
    'notion',
    'GET',
    '/rows?database=Sprint%20board',
  );
  const titles = rows.map(({ title }) => title).slice(0, 4);
  for (const title of titles) await pipeline.prepare(title, { Status: 'Backlog' });
  await pipeline.rule();
  const [first, ...others] = titles;
  const startedAt = Date.now();
  const limit = { target: 'notion', match: 'GET /v1/pages/', kind: 'fail', status: 429, times: 0 } as const;
  pipeline.fault({ ...limit, retryAfterSeconds: 60 });
  await pipeline.edit(first ?? '', { Status: 'Done' });
  await expect.poll(() => db().rateLimit.count()).toBe(1);
  await pipeline.story.product.control('notion', 'DELETE', '/calls');
  for (const title of others) await pipeline.edit(title, { Status: 'Done' });
  const [{ blockedUntil } = { blockedUntil: new Date(0) }] = await db().rateLimit.findMany();
  expect(blockedUntil.getTime()).toBeGreaterThanOrEqual(startedAt + MINUTE_MS);
  expect(blockedUntil.getTime()).toBeLessThanOrEqual(Date.now() + MINUTE_MS);
  await expect
    .poll(async () => (await db().pageTurn.findMany()).map(({ dueAt }) => dueAt))
    .toEqual(titles.map(() => blockedUntil));
  const calls: Record<string, number> = await pipeline.story.product.control('notion', 'GET', '/calls');
  expect(Object.keys(calls).filter((call) => call.startsWith('GET /v1/pages/'))).toEqual([]);
  pipeline.story.product.sandbox.context.faults.clear();
  await pipeline.idle();
  expect((await pipeline.lines()).sort()).toEqual(
    titles.map((title) => `${title}: Status: Backlog → Done`).sort(),
  );
});
